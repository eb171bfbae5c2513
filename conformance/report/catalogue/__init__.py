"""The rule catalogue as pages: each rule with its evidence and its examples."""
