"""Reading a query: objects and prose, labels and quotation marks, in the words of several languages."""
