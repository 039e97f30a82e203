"""Take in what hooks have queued: queued events become events, and sessions become memories."""
