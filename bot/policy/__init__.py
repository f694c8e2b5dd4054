"""What the rules documents say: the packs, their schema and the checks on them."""
