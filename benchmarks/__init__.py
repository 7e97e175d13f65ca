"""Measurements of the product beside bare floors of the same run: ``python -m benchmarks NAME``."""
