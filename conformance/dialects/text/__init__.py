"""What the dialects share whose turns are text inside the messages of another dialect."""
