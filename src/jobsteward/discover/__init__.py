"""Finding jobs: boards are read, postings become jobs with a lasting identity."""
