"""Inverse dynamics of flexible mechanisms as a boundary-value problem in time (stable inversion), and relaxed
starts.
"""
