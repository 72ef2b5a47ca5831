"""How well private data and orders to the model are found, on a labelled set that ships here."""
