"""Beams by finite elements: tapered, cranked, with shear deformation and point masses; second-order kinematics."""
