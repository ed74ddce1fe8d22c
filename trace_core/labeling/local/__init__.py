"""The local labeler: it compares sentences, without a key and without a server."""
