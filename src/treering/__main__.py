"""`python -m treering` is `treering`."""

from treering.surfaces.cli import main

main()
