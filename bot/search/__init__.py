"""Which section did they mean: from what someone typed to sections."""
