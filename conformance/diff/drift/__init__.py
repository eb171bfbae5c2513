"""Sets of recordings and nights against each other: what changed by more than it varies, and when."""
