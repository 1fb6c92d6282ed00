"""Inverse dynamics of links that bend: which efforts lead the mechanism as it is, and how does it bend meanwhile?"""
