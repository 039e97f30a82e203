"""Propose changes to a person, with the evidence of signals. Nothing is done before they decide."""
