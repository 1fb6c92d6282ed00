"""Conversion of descriptions to plain data and text and back, with checks of the form of the data."""
