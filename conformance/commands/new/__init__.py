"""Write a new scenario, or set up a project.

A project has scenarios of its own. No file is replaced.

Example: conformance new scenario order-status
"""
