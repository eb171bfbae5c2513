"""What each verb of the command line does. Every `run` returns the exit code."""
