"""The pure judge: exchanges in, findings out. No network, no clock, no SDK."""
