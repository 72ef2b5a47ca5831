"""What things cost in tokens: texts, messages, tools, images, whole requests; and the models that count so."""
