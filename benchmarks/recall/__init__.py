"""How well Treering finds: recall on sets of questions whose answers are known, beside plain search."""
