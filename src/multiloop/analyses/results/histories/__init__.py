"""Time histories of joints, contacts, couplings, loads, impacts and flexible links."""
