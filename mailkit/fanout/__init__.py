"""One call over many accounts: which are concerned, one flow each under its own deadline, one merged answer."""
