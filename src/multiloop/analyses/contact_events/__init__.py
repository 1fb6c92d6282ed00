"""Runs with unilateral contacts, ropes, stiction and freewheels: contact modes, impacts and load sharing."""
