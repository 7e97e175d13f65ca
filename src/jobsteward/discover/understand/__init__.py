"""What a posting says, read from its words, each value with the place that says it (DIS-7)."""
