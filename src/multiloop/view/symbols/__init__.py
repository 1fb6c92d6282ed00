"""Symbols of bodies, joints, pairs, loads and markers in drawings."""
