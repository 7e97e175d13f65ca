"""Steps that workflows call: each class holds what its methods work with."""
