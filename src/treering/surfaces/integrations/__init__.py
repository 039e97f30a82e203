"""Implement interfaces of other libraries. Each needs its extra; nothing else imports them."""
