"""Drawing symbols of bodies, joints, pairs, loads and markers."""
