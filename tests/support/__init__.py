"""Which method and which integrator takes which pair, load, law or link? Every cell of the page is run."""
