"""What several pages draw: each component takes data and returns what the person did."""
