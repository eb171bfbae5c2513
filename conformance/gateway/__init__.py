"""A gateway between our drivers and our reference server: both legs are judged, and compared with each other."""
