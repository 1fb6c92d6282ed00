"""Inverse dynamics of flexible mechanisms as a boundary-value problem in time, and relaxed starts."""
