"""The blocking calls."""
