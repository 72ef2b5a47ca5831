"""Questions with known answers, put to one model under two managements of the same context: a13."""
