"""The demonstration: job boards of invented companies, and a journey that proves itself."""
