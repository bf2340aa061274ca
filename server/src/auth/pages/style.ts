/** The look of the pages that people sign in on: one small style, light and dark, wide and narrow. */
export const style = `
:root { --ink: #14202b; --soft: #5a6772; --paper: #f3f5f7; --card: #fff; --line: #d5dbe1; --accent: #0b6bcb; --accent-ink: #fff; --bad: #b3261e; --bad-paper: #fdecea; --good: #1d6b3a; --good-paper: #e7f5ec }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf2; --soft: #9aa7b4; --paper: #0f1419; --card: #182028; --line: #2d3843; --accent: #5aa9f8; --accent-ink: #08131f; --bad: #ff9a92; --bad-paper: #3a1b1a; --good: #86d9a5; --good-paper: #14301f }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 26rem; margin: 0 auto; padding: 2.5rem 1rem 4rem }
main:has(.wide) { max-width: 46rem }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1rem; font-weight: 650; font-size: 1.15rem; letter-spacing: .01em }
.brand svg { fill: var(--accent) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.75rem; margin-bottom: 1rem }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .35rem }
h2 { font-size: 1.05rem; margin: 0 0 .75rem }
p { margin: 0 0 1rem }
.soft { color: var(--soft) }
.small { font-size: .875rem }
label { display: block; font-weight: 600; font-size: .9rem; margin: 0 0 .3rem }
input[type=email], input[type=password] { width: 100%; padding: .6rem .75rem; margin-bottom: 1rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 8px }
fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 1.25rem; padding: .5rem .9rem }
legend { font-weight: 600; font-size: .9rem; padding: 0 .3rem }
fieldset label { display: flex; gap: .6rem; align-items: center; font-weight: 400; margin: 0; padding: .35rem 0; overflow-wrap: anywhere }
button { font: inherit; font-weight: 600; padding: .6rem 1.1rem; border-radius: 8px; border: 1px solid var(--accent); background: var(--accent); color: var(--accent-ink); cursor: pointer }
button.plain { background: transparent; color: inherit; border-color: var(--line) }
button.full { width: 100% }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.row { display: flex; gap: .75rem; flex-wrap: wrap }
.row > * { flex: 1 }
.note { border-radius: 8px; padding: .7rem .9rem; margin: 0 0 1.1rem; overflow-wrap: anywhere }
.bad { color: var(--bad); background: var(--bad-paper) }
.good { color: var(--good); background: var(--good-paper) }
ul.scopes { list-style: none; margin: 0 0 1.25rem; padding: 0; max-height: 16rem; overflow-y: auto; border-top: 1px solid var(--line) }
ul.scopes li { padding: .45rem 0; border-bottom: 1px solid var(--line) }
ul.rows { list-style: none; margin: 0; padding: 0 }
ul.rows li { display: flex; gap: 1rem; align-items: center; justify-content: space-between; padding: .7rem 0; border-top: 1px solid var(--line) }
ul.rows li > div { min-width: 0; overflow-wrap: anywhere }
ul.rows form { flex: none }
a { color: var(--accent) }
`
