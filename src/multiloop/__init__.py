"""multiloop."""
