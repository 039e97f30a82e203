"""Learn names and relations from labelled notes, beside the rules of `treering.graph`: see docs/judgement.md.

The rules are in use, as the weights are no better yet. `python -m benchmarks.judgement.graph` says whether they are.
"""
