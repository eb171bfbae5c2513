"""Programs for developers of the suite: measurements, generators and comparisons. No wheel contains them."""
