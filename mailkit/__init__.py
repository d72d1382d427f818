"""All of a person's mailboxes and calendars at once."""
