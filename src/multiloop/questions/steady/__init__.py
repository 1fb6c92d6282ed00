"""What stays as it is: equilibria, steady and periodic motions, and the small motions about them."""
