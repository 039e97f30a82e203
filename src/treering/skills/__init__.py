"""Skills: files that tell an agent how to do a thing. Found, read, written and put where they belong.

paths, descent, placing   files below a root, safely
frontmatter               what a skill says of itself, both ways
folders, index            where skills are, and which of them a prompt is about
compact                   what of them goes into a prompt
"""
