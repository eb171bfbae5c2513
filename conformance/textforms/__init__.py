"""Text forms: grammars of text that several dialects ride with, and so belong to none of them."""
