"""The words, numbers and names of sentences, and what they say of two of them without a model."""
