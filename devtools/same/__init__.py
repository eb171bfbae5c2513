"""`make same`: proves that a refactoring changed no judgement.

Two commits judge the same recordings: the older commit's cassettes, its rules' examples and bug cases, and the real
recordings where they are present. Their findings are compared as multisets, once `tests/data/renames.yaml` is applied.
"""
