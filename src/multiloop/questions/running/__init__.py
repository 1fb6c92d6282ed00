"""A motion that is let go: forces, prescribed motions and the runs through time, compiled or interpreted."""
