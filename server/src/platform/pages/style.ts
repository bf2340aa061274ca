/** The look of the pages that people sign in on: one small style, light and dark, wide and narrow. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #10202e; --soft: #526170; --paper: #f4f6f9; --card: #fff; --field: #fff; --line: #dbe1e8; --edge: #8492a0; --wash: #f4f7fa;
  --accent: #0a62c2; --accent-strong: #084d99; --accent-ink: #fff; --accent-wash: #e8f1fc; --ring: #0a62c2;
  --bad: #a3231b; --bad-wash: #fdeeec; --bad-line: #f2c4bf; --good: #17633a; --good-wash: #e8f6ed; --good-line: #b7dfc6;
  --shadow: 0 1px 2px rgb(16 32 46 / .05), 0 8px 28px rgb(16 32 46 / .07);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e7edf3; --soft: #9dabb9; --paper: #0c1116; --card: #151c23; --field: #0f151b; --line: #27323d; --edge: #6b7a89; --wash: #1a232c;
    --accent: #67b0ff; --accent-strong: #8cc4ff; --accent-ink: #06121f; --accent-wash: #14293f; --ring: #8cc4ff;
    --bad: #ffa59d; --bad-wash: #331917; --bad-line: #5d2b28; --good: #8addab; --good-wash: #122a1c; --good-line: #24523a;
    --shadow: none;
  }
}
*, *::before, *::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 27rem; margin: auto; padding: 2rem 1rem 3rem }
main:has(.broad) { max-width: 36rem }
main:has(.wide) { max-width: 46rem; margin-top: 0 }
.brand { display: flex; align-items: center; justify-content: center; gap: .6rem; margin: 0 0 1.5rem; font-weight: 650; font-size: 1.2rem; letter-spacing: -.01em }
main:has(.wide) .brand { justify-content: flex-start }
.brand svg { display: block; fill: var(--accent) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem; margin: 0 0 1rem; box-shadow: var(--shadow) }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; margin: 0 0 .4rem; text-wrap: balance }
h1.long { font-size: 1.15rem; letter-spacing: 0 }
h2 { font-size: 1.05rem; line-height: 1.35; margin: 0 0 .25rem }
.ask { font-size: .9rem; margin: 0 0 .6rem }
p { margin: 0 0 1rem }
.card > :last-child, form > :last-child { margin-bottom: 0 }
.lead { color: var(--soft); margin-bottom: 1.5rem }
.lead strong { color: var(--ink) }
.soft { color: var(--soft) }
.small { font-size: .875rem }
.whole { white-space: nowrap }
.foot { color: var(--soft); font-size: .875rem; margin: 1.25rem 0 0 }
a { color: var(--accent); text-underline-offset: .15em }
a:hover { color: var(--accent-strong) }
code { font: .85em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }

label { display: block; font-weight: 600; font-size: .9rem; margin: 0 0 .35rem }
.hint { color: var(--soft); font-size: .875rem; margin: -.65rem 0 1.1rem }
input[type=email], input[type=password] { display: block; width: 100%; min-height: 2.9rem; padding: .6rem .8rem; margin: 0 0 1.1rem; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--edge); border-radius: 9px }
input[hidden] { display: none }
input[readonly] { background: var(--wash); border-color: var(--line); color: var(--soft) }
input[aria-invalid] { border-color: var(--bad) }
button, .button { display: inline-block; min-height: 2.9rem; padding: .65rem 1.15rem; font: inherit; font-weight: 600; line-height: 1.4; text-align: center; text-decoration: none; border: 1px solid transparent; border-radius: 9px; background: var(--accent); color: var(--accent-ink); cursor: pointer }
button:hover, .button:hover { background: var(--accent-strong); color: var(--accent-ink) }
.plain, a.plain { background: var(--card); color: var(--ink); border-color: var(--edge) }
.plain:hover, a.plain:hover { background: var(--wash); color: var(--ink) }
.danger { color: var(--bad) }
.danger:hover { color: var(--bad); background: var(--bad-wash); border-color: var(--bad) }
.slim { min-height: 2.25rem; padding: .35rem .8rem; font-size: .9rem }
.full { width: 100% }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px }
input[type=email]:focus-visible, input[type=password]:focus-visible { outline-offset: -1px; border-color: transparent }
.row { display: flex; gap: .75rem }
.row > * { flex: 1; padding-inline: .5rem; white-space: nowrap }

.note { display: flex; gap: .6rem; border: 1px solid; border-radius: 9px; padding: .7rem .85rem; margin: 0 0 1.25rem; font-size: .95rem }
.note svg { flex: none; margin-top: .15rem; fill: currentColor }
.mark { display: grid; place-items: center; width: 3rem; height: 3rem; margin: 0 0 1.1rem; border: 1px solid; border-radius: 50% }
.mark svg { fill: currentColor }
.bad { color: var(--bad); background: var(--bad-wash); border-color: var(--bad-line) }
.good { color: var(--good); background: var(--good-wash); border-color: var(--good-line) }
.technical { margin: 1.5rem 0 0; padding: 1rem 0 0; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem }

.parties { display: flex; align-items: center; gap: .7rem; margin: 0 0 1.25rem; color: var(--soft) }
.parties > span { display: grid; place-items: center; width: 3rem; height: 3rem; border-radius: 12px; border: 1px solid var(--line); background: var(--wash); color: var(--ink); font-weight: 650; font-size: 1.25rem }
.parties svg { fill: var(--accent) }
.parties i { width: 2rem; border-top: 2px dashed var(--edge) }
.scopes { list-style: none; margin: 0 0 1.5rem; padding: .35rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--wash) }
.scopes li { position: relative; padding: .4rem 0 .4rem 1.7rem; break-inside: avoid; font-size: .95rem }
.scopes li::before { content: ""; position: absolute; left: .2rem; top: .78rem; width: .8rem; height: .42rem; border: solid var(--accent); border-width: 0 0 2px 2px; transform: rotate(-45deg) }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; min-width: 0 }
legend { font-weight: 600; font-size: .9rem; padding: 0; margin: 0 0 .5rem }
.choice { display: flex; gap: .75rem; align-items: center; margin: 0 0 .5rem; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 9px; font-weight: 400; font-size: 1rem; cursor: pointer }
.choice:hover { background: var(--wash) }
.choice:has(:checked) { border-color: var(--accent); background: var(--accent-wash) }
.choice:has(:focus-visible) { outline: 3px solid var(--ring); outline-offset: 2px }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); outline: 0 }
.choice span, .name { min-width: 0 }
.choice small { color: var(--soft); font-size: .85rem }

.who { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; margin: 0 0 1.25rem }
.who > .name { flex: 1 1 11rem }
.who h1, .who p { margin: 0 }
.face { display: grid; place-items: center; flex: none; width: 3rem; height: 3rem; border-radius: 50%; background: var(--accent-wash); color: var(--accent-strong); font-weight: 650; font-size: 1.25rem; text-transform: uppercase }
.tags { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 0; padding: 0 }
.tags li { padding: .2rem .7rem; border: 1px solid var(--line); border-radius: 14px; background: var(--wash); font-size: .9rem }
.rows { list-style: none; margin: 1rem 0 0; padding: 0 }
.rows li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; padding: .85rem 0; border-top: 1px solid var(--line) }
.rows li:last-child { padding-bottom: 0 }
.rows li > div { flex: 1 1 10rem; min-width: 0 }
.rows .inner { list-style: none; margin: 0; padding: 0 }
.rows .inner li { padding: .35rem 0 0; border: 0 }
.rows .inner li > span { flex: 1 1 10rem; min-width: 0 }
.here { display: inline-block; padding: .05rem .55rem; border: 1px solid var(--good-line); border-radius: 999px; background: var(--good-wash); color: var(--good); font-size: .8rem; font-weight: 600 }
.empty { margin: 1rem 0 0; padding: 1rem; border: 1px dashed var(--line); border-radius: 10px; color: var(--soft); text-align: center }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; margin-top: 1.25rem }

@media (min-width: 36rem) { .scopes.many { columns: 2; column-gap: 1.5rem } }
@media (max-width: 30rem) {
  main { padding: 1.5rem .75rem 2rem; margin-top: 0 }
  .card { padding: 1.5rem 1.25rem }
  .pair { grid-template-columns: 1fr }
}
@media (forced-colors: active) { .scopes li::before { border-color: CanvasText } }
`
