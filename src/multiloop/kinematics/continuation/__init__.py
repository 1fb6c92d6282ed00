"""Continuation: the same assembly mode along prescribed motions, and its behaviour near singular configurations."""
