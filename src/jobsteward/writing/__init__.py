"""Résumés and letters in the person's own facts: writers, and the gate that they all pass."""
