"""Rules over the neutral transcript, true in every dialect."""
