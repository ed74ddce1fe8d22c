"""What pages draw, a folder for each page: a component takes data and returns what the person did."""
