"""Words of what has one value at a time, and of places that hold others."""

from __future__ import annotations

from treering.conflict.reading.lexicon import stems

# With a preposition, a thing is so in one place, on one day, or with one value.
FIXED = stems(
    """live reside sit store save host locate deploy ship log listen bind run lock pin standardise
    standardize settle happen schedule expire renew cap limit set default resolve point merge belong fire trigger
    start begin open close collect configure end leave depart arrive cost take weigh"""
)
# What was decided still stands.
DECIDED = stems("standardise standardize settle lock pin cap limit")
# Of which a thing has one, so that two lower-case words for it exclude each other.
ATTRIBUTES = stems(
    """colour color language currency encoding locale timezone theme format mode strategy status branch engine manager
    policy method level layout scheme algorithm favourite favorite password username database framework shell editor
    breakfast major species breed gender shape material unit"""
)
# One of these and another name may both be where a thing is.
CONTAINERS = frozenset(
    """africa america asia australia europe eu uk usa us england scotland wales ireland britain kingdom states germany
    france spain portugal italy austria switzerland belgium netherlands holland luxembourg denmark norway sweden finland
    iceland poland czechia slovakia hungary romania bulgaria greece turkey ukraine russia serbia croatia slovenia bosnia
    albania estonia latvia lithuania malta cyprus israel egypt morocco tunisia algeria nigeria kenya ghana ethiopia
    china japan korea india pakistan bangladesh nepal thailand vietnam indonesia malaysia singapore philippines taiwan
    canada mexico brazil argentina chile peru colombia venezuela ecuador bolivia uruguay cuba zealand iran iraq arabia
    lebanon jordan emirates qatar bavaria saxony hesse tuscany catalonia andalusia brittany normandy provence sicily
    california texas florida oregon washington ohio virginia georgia ontario quebec cloud""".split()
)
# And so may each of these and any other.
SYSTEMS = frozenset("aws gcp azure kubernetes k8s docker github gitlab linux git production prod staging".split())
# What stands in one place: the office is in Oslo.
SITED = stems(
    """headquarters office centre center warehouse shop school factory university server host venue hotel lab clinic
    bucket depot"""
)
# Of which there are as many as one cares to tell.
TOLD_ONE_BY_ONE = stems(
    "step example sample case feature problem issue error bug reason task item topic lesson option fix change question"
)
