"""Hold the phrases by which people ask for something to be kept. A hook looks for them, so nothing is imported here."""

from __future__ import annotations

# How people ask for something to be kept: of many languages the plain words, of those that the labels are in most.
WISHES = (
    "remember, memorize, memorise, keep in mind, bear in mind, don't forget, dont forget, don't ever forget, "
    "make a note, make a mental note, note to self, note for later, note for the future, "
    "save to memory, save to your memory, save this to memory, save this to your memory, add to memory, "
    "add to your memory, add this to your memory, put in your memory, commit to memory, for the future, "
    "for future reference, for next time, for the record, from now on remember",
    "merk dir, merke dir, merk es dir, merkt euch, behalt im kopf, behalte im kopf, behalt im hinterkopf, "
    "behalte im hinterkopf, vergiss nicht, vergiss bitte nicht, nicht vergessen, denk dran, denke dran, denk daran, "
    "denke daran, denk bitte daran, denk bitte dran, notier dir, notiere dir, speicher dir, speichere dir, "
    "für die zukunft, für später, fürs nächste mal, zum merken",
    "recuerda, recordá, recuerde, acordate, acuerdate, ten en cuenta, tené en cuenta, ten presente, "
    "tené presente, no olvides, no te olvides, no te olvidés, memoriza, memorizá, "
    "guarda en memoria, guarda en tu memoria, guarda esto en memoria, guarda esto en tu memoria, guardá en memoria, "
    "guardá esto en memoria, que conste, para el futuro, para la próxima",
    "souviens-toi, souviens toi, retiens, retiens bien, rappelle-toi, n'oublie pas, oublie pas, note bien, "
    "mémorise, garde en tête, garde en mémoire, garde à l'esprit, enregistre en mémoire, à retenir, "
    "à noter, pour la suite, pour la prochaine fois",
    "ricordati, tieni a mente, non dimenticare, lembre-se, lembra-te, não esqueça, não te esqueças, "
    "onthoud, vergeet niet, kom ihåg, glöm inte, glem ikke, pamiętaj, zapamiętaj, nie zapomnij, "
    "запомни, запомните, помни, не забудь, не забывай, unutma, 记住, 記住, 请记住, 請記住, 记得, 기억해",
)
# These ask for it only if what is to be kept is linked to them: "note down that ...", not "note down the errors".
LINKED = (
    "note down, never forget, take note, merken, notiere, apunta, apuntá, anota, anotá, recordar, recordarme, "
    "memorizar, acuérdate, "
    "note, prends note, retenir, mémoriser, noter, te souvenir, ricorda, lembre, husk",
)
LAST = ("覚えて", "기억해", "unutma")  # stand at the end of what is to be kept


def hints(text: str) -> bool:
    """Tell whether a text may ask for something to be kept: it has one of the phrases, wherever it stands."""
    said = " ".join(text.replace("\u2019", "'").lower().split())
    return any(phrase in said for row in (*WISHES, *LINKED, *LAST) for phrase in row.split(", "))
