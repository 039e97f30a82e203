"""Keep the ledgers of several machines equal, through a folder that all of them can reach.

The folder holds segments: runs of one writer's events, each in a file that is written once and never
changed. A machine adds the segments that the folder lacks and takes in those that it lacks itself, by the
heads of the chains. What was purged is taken out of the segments that hold it.
"""
