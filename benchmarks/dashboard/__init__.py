"""How long a page of the dashboard takes on the server, beside the bare query for the same rows."""
