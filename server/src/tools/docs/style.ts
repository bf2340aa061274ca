/** The look of the guides and of the bar above the reference: light and dark, wide and narrow. The reference says by a class which of the two it is in. */
const light =
  '--ink: #10202e; --soft: #526170; --paper: #fff; --wash: #f4f6f9; --line: #dbe1e8; --accent: #0a62c2; --accent-strong: #084d99; --code: #0f1b27; --code-ink: #dce7f2'
const dark =
  '--ink: #e7edf3; --soft: #9dabb9; --paper: #0c1116; --wash: #151c23; --line: #27323d; --accent: #67b0ff; --accent-strong: #8cc4ff; --code: #151c23; --code-ink: #dce7f2'
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
const barHeight = '3.25rem'
const areasHeight = '2.75rem'

export const style = `
:root { ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
body.light-mode { ${light} }
body.dark-mode { ${dark} }

.docs-bar { box-sizing: border-box; position: sticky; top: 0; z-index: 20; display: flex; align-items: center; gap: 1.5rem; height: ${barHeight}; padding: 0 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); font: 15px/1.4 ${font} }
.docs-bar a { color: var(--ink); text-decoration: none; white-space: nowrap }
.docs-bar a:hover { color: var(--accent) }
.docs-bar nav a[aria-current] { font-weight: 600 }
.docs-bar nav { display: flex; gap: 1.25rem; margin-left: auto }
.docs-brand { display: flex; align-items: center; gap: .5rem; font-weight: 650 }
.docs-brand svg { fill: var(--accent) }
.docs-areas { box-sizing: border-box; position: sticky; top: ${barHeight}; z-index: 20; display: flex; align-items: center; gap: 1.25rem; height: ${areasHeight}; padding: 0 1.25rem; overflow-x: auto; background: var(--paper); border-bottom: 1px solid var(--line); font: 14px/1.4 ${font} }
.docs-areas a { color: var(--soft); text-decoration: none; white-space: nowrap }
.docs-areas a:hover { color: var(--accent) }
.docs-areas a[aria-current] { color: var(--ink); font-weight: 600 }
.docs-areas :focus-visible, .docs-bar :focus-visible, .guide :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px }

body.guide { color-scheme: light dark; margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 ${font}; overflow-wrap: break-word }
.guide *, .guide *::before, .guide *::after { box-sizing: border-box }
.columns { display: grid; grid-template-columns: 13rem minmax(0, 48rem); gap: 3rem; max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
.guides ul { position: sticky; top: calc(${barHeight} + 2rem); margin: 0; padding: 0; list-style: none }
.guides a { display: block; padding: .3rem .75rem; border-radius: 7px; color: var(--soft); text-decoration: none }
.guides a:hover { color: var(--accent) }
.guides a[aria-current] { background: var(--wash); color: var(--ink); font-weight: 600 }
.guide main a { color: var(--accent); text-underline-offset: .15em }
.guide main a:hover { color: var(--accent-strong) }
.guide h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance }
.guide h2 { margin: 2.5rem 0 .75rem; font-size: 1.4rem; line-height: 1.3; letter-spacing: -.01em }
.guide h3 { margin: 2rem 0 .5rem; font-size: 1.1rem }
.guide h1, .guide h2, .guide h3 { scroll-margin-top: calc(${barHeight} + 1rem) }
.guide p, .guide ul, .guide ol { margin: 0 0 1rem }
.guide li { margin: 0 0 .35rem }
.guide img { display: block; max-width: 100%; height: auto; margin: 1.5rem 0; border: 1px solid var(--line); border-radius: 10px }
.guide code { padding: .1em .35em; border-radius: 5px; background: var(--wash); font: .875em/1.5 ${mono}; overflow-wrap: anywhere }
.guide pre { margin: 0 0 1.25rem; padding: 1rem 1.15rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--code); color: var(--code-ink) }
.guide pre code { padding: 0; background: none; font-size: .85rem; line-height: 1.6; overflow-wrap: normal }
.wide { margin: 0 0 1.25rem; overflow-x: auto }
.guide table { width: 100%; border-collapse: collapse; font-size: .95rem }
.guide th, .guide td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; min-width: 6rem }
.guide td code { white-space: normal }
.guide .source { margin-top: 3rem; color: var(--soft); font-size: .9rem }
.guide .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; padding: 0; list-style: none }
.cards li { padding: 1rem 1.15rem; border: 1px solid var(--line); border-radius: 12px }
.cards a { font-weight: 600 }
.guide .cards p { margin: .25rem 0 0; color: var(--soft); font-size: .95rem }

@media (max-width: 52rem) {
  .columns { display: block; padding-top: 1rem }
  .guides ul { position: static; display: flex; flex-wrap: wrap; gap: .25rem; margin: 0 0 1.5rem; padding: 0 0 1rem; border-bottom: 1px solid var(--line) }
  .guides li { margin: 0 }
}
@media (max-width: 30rem) { .docs-bar { gap: .75rem; padding: 0 .75rem } .docs-bar nav { gap: .9rem } }
`

/** The same colours in the words of the reference's component. */
export const referenceStyle = `
:root { --scalar-custom-header-height: calc(${barHeight} + ${areasHeight}); --scalar-font: ${font}; --scalar-font-code: ${mono} }
.light-mode { --scalar-color-1: #10202e; --scalar-color-2: #526170; --scalar-color-accent: #0a62c2; --scalar-background-1: #fff; --scalar-background-2: #f4f6f9; --scalar-border-color: #dbe1e8 }
.dark-mode { --scalar-color-1: #e7edf3; --scalar-color-2: #9dabb9; --scalar-color-accent: #67b0ff; --scalar-background-1: #0c1116; --scalar-background-2: #151c23; --scalar-border-color: #27323d }
`
