"""Labels, training and measurement of learned judgements: see docs/judgement.md."""
