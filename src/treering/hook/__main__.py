from treering.hook import main

main()
