"""What the screens show, folded from events and laid out as plain lines: pure, without Textual."""
