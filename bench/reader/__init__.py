"""The reader's training data: public pairs, hand-written pairs, and pairs made by editing sentences."""
