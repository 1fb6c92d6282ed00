"""Gears, racks, worms, belts and chains: constraints between two wheels on a common carrier."""
