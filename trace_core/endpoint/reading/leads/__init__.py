"""What the words around a text say that it is: by rules where every word is known, else by a trained model."""
