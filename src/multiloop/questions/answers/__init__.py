"""What comes back: results and states by name, and everything read off them."""
