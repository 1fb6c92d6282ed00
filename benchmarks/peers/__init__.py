"""The same mechanisms in other libraries, built from multiloop's own descriptions, checked, and then timed."""
