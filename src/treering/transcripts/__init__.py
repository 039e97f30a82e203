"""What agents write down of a session, however it is damaged; read by friction and by capture.

lines        a file's lines, from a place on; the fields of a line
prompts      what a person typed, without what the agent wrote around it
stops        interruptions and rejections
commands     what a command line tries, and whether another one tries the same
failures     the telling line of an error
"""
