"""The style sheet of a report: light and dark, from a phone's width on. Nothing is loaded from anywhere."""

CSS = (
    """
:root { color-scheme: light dark;
  --paper: #fff; --card: #f6f7f9; --ink: #1a1f26; --soft: #5a6472; --rule: #dde1e7; --grid: #e6e9ee;
  --main: #2563a8; --band: #2563a833; --open: #8a94a3; --open-band: #8a94a333; --edge: #b4641b;
  --good: #1d7a4c; --bad: #b3372f; --warn: #8a5a00; --shade: #1a1f2638;
  --c0: #2f6fb3; --c1: #c2731c; --c2: #3d8b5f; --c3: #8a5bb0; --c4: #b8485a;
  --c5: #5f7d8c; --c6: #9a8a1f; --c7: #3f9aa8; --c8: #8f6b52; --c9: #7a7f87; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14181d; --card: #1c2229; --ink: #e7ebf0; --soft: #a3adba; --rule: #313943; --grid: #29313a;
  --main: #6cabec; --band: #6cabec3d; --open: #8792a1; --open-band: #8792a133; --edge: #e39a55;
  --good: #5fc491; --bad: #f08479; --warn: #e3b04b; --shade: #e7ebf040;
  --c0: #3f7fc4; --c1: #b9701f; --c2: #3f8f62; --c3: #8d62b3; --c4: #b94d5f;
  --c5: #5e7d8d; --c6: #8f801f; --c7: #37899a; --c8: #8a6852; --c9: #6d747e; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 44px 0 6px; }
h3 { font-size: 1rem; margin: 0 0 4px; overflow-wrap: anywhere; }
p { margin: 6px 0 12px; max-width: 76ch; }
.soft, .note { color: var(--soft); }
.note { font-size: .9rem; }
code, .mono { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 14px 16px;
  margin: 16px 0; }
.card > :last-child { margin-bottom: 0; }
.verdict { border-left: 6px solid var(--open); }
.verdict strong { font-size: 1.15rem; }
.accepted { border-left-color: var(--good); } .rejected, .invalid { border-left-color: var(--bad); }
.inconclusive { border-left-color: var(--warn); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 10px 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: 10px 0; background:
  linear-gradient(to right, var(--paper) 40%, transparent) left / 40px 100% no-repeat local,
  linear-gradient(to left, var(--paper) 40%, transparent) right / 40px 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / 18px 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) right / 18px 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 10px; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap;
  vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:first-child, td.text, th.text { text-align: left; }
tbody th { font-weight: 600; }
td.text, tbody th { white-space: normal; overflow-wrap: break-word; max-width: 24rem; }
td.text { min-width: 12rem; }
th:first-child { position: sticky; left: 0; background: var(--paper); }
.matrix td { text-align: center; min-width: 4.6rem; } .matrix thead th { text-align: center; max-width: 8rem;
  white-space: normal; overflow-wrap: anywhere; }
.matrix td small { color: var(--soft); display: block; line-height: 1.35; }
small { font-weight: 400; }
.odd small.residual { color: var(--bad); font-weight: 600; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 22px 28px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 8px 0; list-style: none;
  font-size: .9rem; }
.swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .45em; }
details { margin: 10px 0; } summary { cursor: pointer; color: var(--main); }
svg.plot { display: block; overflow: visible; margin: 8px 0; }
svg text { fill: var(--ink); font-size: 13px; paint-order: stroke; stroke: var(--paper); stroke-width: 3px;
  stroke-linejoin: round; }
svg .tick { fill: var(--soft); font-size: 12px; } svg .name { font-weight: 600; }
svg .value { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--grid); } svg .zero { stroke: var(--soft); stroke-dasharray: 3 3; }
svg .bound { stroke: var(--edge); stroke-width: 1.5; }
svg .whisker { stroke: var(--main); stroke-width: 2; } svg .arrow { fill: var(--main); }
svg .dot { fill: var(--main); } svg .dot.open { fill: var(--open); } svg .dot.beaten { fill: var(--open); }
svg .course { fill: none; stroke: var(--main); stroke-width: 2; vector-effect: non-scaling-stroke; }
svg .course.open { stroke: var(--open); }
svg .band { fill: var(--band); } svg .band.open { fill: var(--open-band); }
svg .edge { fill: none; stroke: var(--edge); stroke-width: 1.5; stroke-dasharray: 5 4;
  vector-effect: non-scaling-stroke; }
svg .number { fill: var(--paper); font-size: 12px; font-weight: 700; stroke: none; }
svg .in-part { fill: #fff; font-size: 12px; stroke: none; }
.part { stroke: var(--paper); stroke-width: 1; }
"""
    + "".join(
        f".part-{place} {{ fill: var(--c{place}); }} .swatch-{place} {{ background: var(--c{place}); }}\n"
        for place in range(10)
    )
    + """
@media (max-width: 560px) {
  main { padding: 16px 12px 48px; } h1 { font-size: 1.3rem; }
  svg .beside { display: none; }
  dl { gap: 3px 12px; font-size: .92rem; }
  th, td { padding: 5px 6px; } td.text { min-width: 7.5rem; } td.text, tbody th { max-width: 9.5rem; }
  .ratings td small { display: block; } .ratings thead th { white-space: normal; }
  .matrix td { min-width: 3.5rem; padding: 5px 2px; }
  .matrix tbody th { min-width: 7.2rem; max-width: 8.4rem; }
}
@media print { body { font-size: 12px; } .card, svg { break-inside: avoid; } }
"""
)
