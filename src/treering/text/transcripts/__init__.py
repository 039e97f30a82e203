"""Read what agents write down of a session, however it is damaged.

lines        a file's lines, from a place on; the fields of a line; the telling line of an error
person       what a person typed, interruptions and rejections
commands     what a command line tries, and whether another one tries the same
"""
