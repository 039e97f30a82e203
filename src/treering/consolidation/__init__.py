"""The slow loop: episodes become knowledge, knowledge is connected, and the memory looks at itself."""
