"""Judge texts by weights that were learned from labels.

features   what a judgement looks at: words, letters, shapes, what stands around them
learned    what one person's verdicts correct
model      a linear model with its weights in a file, a calibrated probability, and its reasons
sentences  what of a prompt is worth keeping, of which kind, and for whom
use        what became of a memory that was shown: used, ignored, corrected or harmful
words      reasons for a verdict, in words

`make train` makes the files of weights anew from `benchmarks/judgement/labels`.
"""
