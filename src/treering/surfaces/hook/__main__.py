from treering.surfaces.hook import main

main()
