"""What the reader learns from: public pairs, pairs written by hand, and pairs made by editing sentences."""
