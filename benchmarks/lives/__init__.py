"""Weeks of a person's work with an agent, played through the hooks: is the right fact there when it is needed?"""
