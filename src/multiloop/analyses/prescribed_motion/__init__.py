"""Inverse dynamics of rigid mechanisms along a prescribed motion."""
