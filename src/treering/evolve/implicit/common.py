"""Words that two texts share by accident, and what else says little by itself."""

from __future__ import annotations

from treering.evolve.implicit.reading import STOPS, stem

# Of the trade, and of talk.
COMMON = STOPS.union(
    map(
        stem,
        """actual add advice ai also always answer anything api app application around ask available avoid aws back bad
        base become best better bit build call case cd cet change check choose ci class cli code column come command
        commit config configuration consider contain copy cpu create css csv current data database date day db debug
        decide default define definite delete deploy detail develop different directory discuss doc docs document done
        each easy enable end enjoy error especially eu eur even every everything example expect experience explain
        explore extra fail feature feel few field file final find first fix folder follow format function general get
        give go good gpu great group happen happy head heard help hold hope hour html http https id ide idea import
        important improve include index info information install interest ip issue item job json keep key kind know last
        later learn least less let letter level life like limit line link list little live load local log long look lot
        made main make manual many matter may maybe mean meet memory mention message method might minute mode model
        module month move much must name need never new next nice note now number offer often ok old one online open
        option order os others output own package page part particular pass patch path pdf people perfect person pick
        place plan please point popular possible post pr prefer press pretty probably problem process program project
        provide pull push put quality question quick quite rather read ready real really reason recall recent recommend
        regular release remember remove repo report repository request require result return right row rule run same
        save say sdk second section see seem send server service session set setting setup share show side simple since
        size small something sometimes sort sound special specific spend sql ssh start state stay step still stop store
        string stuff style suggest support sure system table take talk task team tell test text thank thing think
        thought three time tip today together tomorrow tool top topic true try turn two type ui under update url usd use
        user usual utc value variable version view vm want warn warning way week well what when whole within without
        wonder word work worry write wrong xml yaml year yes""".split(),
    )
)
# Names that come up in any talk about software, whatever is remembered of them.
HOUSEHOLD = frozenset(
    map(
        stem,
        """ansible apache azure bash chrome debian django docker eslint excel express fastapi firefox flask git github
        gitlab google grafana gradle graphql helm ios java javascript jenkins jira jest kafka kotlin kubernetes linux
        mac macos maven microsoft mongodb mysql nginx node npm numpy pandas php postgres postgresql prometheus pytest
        python rails react redis ruby rust safari sentry slack spring sqlite swift terraform typescript ubuntu vue
        windows vim webpack monday tuesday wednesday thursday friday saturday sunday january february march april may
        june july august september october november december english german french spanish""".split(),
    )
)
MONTHS = frozenset(
    map(stem, "january february march april may june july august september october november december".split())
)
