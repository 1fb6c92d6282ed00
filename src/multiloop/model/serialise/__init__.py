"""Descriptions as plain data and text: writing, reading and checking of their form."""
