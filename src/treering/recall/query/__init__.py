"""Analyse what a query asks for."""
