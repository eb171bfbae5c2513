"""The table of implementations against statements, from the JSON reports of many runs."""
