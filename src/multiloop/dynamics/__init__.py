"""Equations of motion and nothing else: what the papers derive, on symbols or on numbers."""
