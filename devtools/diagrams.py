"""Two diagrams as SVG, from boxes and arrows: where each command stands, and how data flows. `make pictures`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_LINE = 18
_STYLE = """
  rect { fill: #f6f8fa; stroke: #57606a; rx: 6px; }
  rect.ours { fill: #ddf4ff; stroke: #0969da; }
  line { stroke: #57606a; stroke-width: 1.5; marker-end: url(#end); }
  #end path { fill: #57606a; }
  text { font: 13px sans-serif; fill: #1f2328; text-anchor: middle; }
  text.name { font-weight: 600; }
  text.ours { font: 600 13px monospace; }
  @media (prefers-color-scheme: dark) {
    rect { fill: #161b22; stroke: #8b949e; }
    rect.ours { fill: #0c2d6b; stroke: #58a6ff; }
    line { stroke: #8b949e; }
    #end path { fill: #8b949e; }
    text { fill: #e6edf3; }
  }
"""
_END = (
    '<marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
    '<path d="M0 0 L8 4 L0 8 z"/></marker>'
)


@dataclass(frozen=True)
class Box:
    """A box around its lines of text, the first of which is its name; `ours` is what this project brings."""

    left: int
    top: int
    width: int
    lines: tuple[str, ...]
    ours: bool = False

    @property
    def height(self) -> int:
        return _LINE * len(self.lines) + 14

    def drawn(self) -> str:
        kind = "ours" if self.ours else "other"
        middle = self.left + self.width // 2
        texts = "".join(
            f'<text class="{("ours" if self.ours else "name") if number == 0 else "more"}" x="{middle}" '
            f'y="{self.top + _LINE * (number + 1) + 2}">{escape(line)}</text>'
            for number, line in enumerate(self.lines)
        )
        frame = f'x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}"'
        return f'<rect class="{kind}" {frame}/>{texts}\n'


@dataclass(frozen=True)
class Arrow:
    """An arrow from one point to another."""

    start: tuple[int, int]
    end: tuple[int, int]

    def drawn(self) -> str:
        (one, two), (three, four) = self.start, self.end
        return f'<line x1="{one}" y1="{two}" x2="{three}" y2="{four}"/>\n'


def _svg(width: int, height: int, title: str, parts: Sequence[Box | Arrow]) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n<defs>{_END}</defs>\n"
        f"{''.join(part.drawn() for part in parts)}</svg>\n"
    )


def places() -> str:
    """Where each command stands."""
    return _svg(
        860,
        290,
        "A client, a gateway and a server, and the command that tests each of them",
        (
            Box(20, 110, 220, ("your client", "SDK, framework or agent")),
            Box(320, 110, 220, ("your gateway", "one format in, another out")),
            Box(620, 110, 220, ("your server", "or any provider")),
            Arrow((240, 135), (318, 135)),
            Arrow((540, 135), (618, 135)),
            Box(20, 10, 220, ("conformance serve", "plays the server to it"), ours=True),
            Box(320, 10, 220, ("conformance gateway", "plays both sides of it"), ours=True),
            Box(620, 10, 220, ("conformance run", "plays the client to it"), ours=True),
            Arrow((130, 60), (130, 108)),
            Arrow((430, 60), (430, 108)),
            Arrow((730, 60), (730, 108)),
            Box(20, 220, 220, ("pytest --conformance-check", "sees what its tests send"), ours=True),
            Box(320, 220, 220, ("conformance check", "reads recordings and logs"), ours=True),
            Box(620, 220, 220, ("conformance proxy", "stands between any two"), ours=True),
            Arrow((130, 160), (130, 218)),
            Arrow((430, 160), (430, 218)),
            Arrow((730, 160), (730, 218)),
        ),
    )


def flow() -> str:
    """How data flows, from a scenario or a recording to a report."""
    return _svg(
        860,
        250,
        "Scenarios are played and recorded; recordings are read, judged and reported",
        (
            Box(10, 10, 150, ("scenario", "YAML"), ours=True),
            Box(200, 10, 150, ("driver", "an official SDK")),
            Box(390, 10, 200, ("HTTP over a socket", "a provider, or our server")),
            Box(640, 10, 200, ("cassette", "recorded, redacted"), ours=True),
            Arrow((160, 35), (198, 35)),
            Arrow((350, 35), (388, 35)),
            Arrow((590, 35), (638, 35)),
            Box(640, 100, 200, ("recordings and logs", "HAR, JSONL, traces, …")),
            Box(430, 100, 150, ("exchange", "request, response"), ours=True),
            Box(220, 100, 150, ("transcript", "read by the dialect"), ours=True),
            Arrow((740, 60), (560, 98)),
            Arrow((640, 125), (582, 125)),
            Arrow((430, 125), (372, 125)),
            Box(10, 100, 150, ("statements", "documents, evidence"), ours=True),
            Box(10, 190, 360, ("contracts, relations and rules", "each proved by examples"), ours=True),
            Arrow((85, 150), (85, 188)),
            Arrow((295, 150), (295, 188)),
            Box(430, 190, 150, ("finding", "place, source, remedy"), ours=True),
            Box(640, 190, 200, ("report", "text, HTML, SARIF, JUnit, …"), ours=True),
            Arrow((370, 215), (428, 215)),
            Arrow((580, 215), (638, 215)),
        ),
    )
