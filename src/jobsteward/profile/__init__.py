"""Who the person is: facts with ids, and nothing that the person did not state."""
