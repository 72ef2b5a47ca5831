"""Finding personal data, secrets, words of a policy, and texts that give the model orders."""
