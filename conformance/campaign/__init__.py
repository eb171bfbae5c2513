"""Many runs against live endpoints: targets, scheduling, back-off, journal, cost and statistics."""
