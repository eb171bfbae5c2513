"""The matrix: one run of each cell (scenario, dialect, driver, mode), its verdict, recording and replay."""
