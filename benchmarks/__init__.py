"""How fast Treering is, and how well it finds: always beside a baseline in the same run."""

import os

# One thread for ours and for the baselines alike. It must be said before numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
