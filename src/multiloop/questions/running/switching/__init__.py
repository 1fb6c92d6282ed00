"""Runs in which something takes hold and lets go: contacts, ropes, sticking joints, freewheels."""
