"""Rules over the neutral transcript, which apply to every dialect."""
