"""Judge texts by weights that were learned from labels.

features   what a judgement looks at: words, letters, shapes, what stands around them
model      a linear model with its weights in a file, a calibrated probability, and its reasons
sentences  what of a prompt is worth keeping, of which kind, and for whom
use        what became of a memory that was shown: used, ignored, corrected or harmful

`make train` makes the files of weights anew from `benchmarks/judgement/labels`.
"""
