"""Which method and which integrator supports which pair, load, control law or link? Every cell of the support page is
run."""
