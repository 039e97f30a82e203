"""A thousand contents that would do harm if a page took them for more than text."""

from __future__ import annotations

from itertools import product

_SCRIPTS = (
    "<script>window.hurt = 1</script>",
    "<img src=x onerror='window.hurt = 1'>",
    "<svg onload='window.hurt = 1'>",
    "<iframe src='javascript:parent.hurt = 1'></iframe>",
    "<a href='javascript:window.hurt = 1'>click</a>",
    "<body onload='window.hurt = 1'>",
    "<math><mtext><script>window.hurt = 1</script></mtext></math>",
    "<style>* { display: none }</style>",
    "<meta http-equiv='refresh' content='0; url=http://evil.example'>",
    "<base href='http://evil.example'>",
    "<form action='http://evil.example'><button>Show</button></form>",
    "<input autofocus onfocus='window.hurt = 1'>",
    "<details open ontoggle='window.hurt = 1'>",
    "<object data='javascript:window.hurt = 1'>",
    "{{ 7 * 7 }}{% raw %}",
    "{{ cycler.__init__.__globals__ }}",
    "${window.hurt = 1}",
    "&lt;script&gt;window.hurt = 1&lt;/script&gt;",
    "\u202egnp.exe\u202c",
    "a\u0000b\u001b[2J\u0007",
)
_BEFORE = ("", '"', "'", "-->", "</textarea>", "</title>", "]]>", "\\", '" onmouseover="window.hurt = 1', "</script>")
_AFTER = ("", "<!--", "'>", '">', " \u2028 end")

HOSTILE = tuple(before + script + after for before, script, after in product(_BEFORE, _SCRIPTS, _AFTER))
