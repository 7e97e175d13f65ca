"""Temporal's side: workflows, activities and the worker that runs them."""
