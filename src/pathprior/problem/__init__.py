"""What is to be learned: data, score, prior and rules, checked against each other."""
