import { html, raw, truck } from '../../platform/pages/layout.ts'
import { type Area, areas, pageOf } from './areas.ts'
import type { Guide } from './guides.ts'

/** The bar above the reference and the guides; it marks which of the two it stands above. */
export function barAbove(current: 'reference' | 'guides'): string {
  const link = (to: string, label: string, isCurrent: boolean) =>
    html`<a href="${to}"${isCurrent && raw(' aria-current="true"')}>${label}</a>`
  return html`<header class="docs-bar"><a class="docs-brand" href="/">${truck} Lading</a><nav aria-label="Documentation">${link('/docs/', 'API reference', current === 'reference')}${link('/docs/guides', 'Guides', current === 'guides')}</nav></header>`
    .html
}

/** The parts of the reference, below the bar. */
export function barOfAreas(current: Area): string {
  const links = areas.map(
    (area) => html`<a href="${pageOf(area)}"${area === current && raw(' aria-current="page"')}>${area.title}</a>`,
  )
  return html`<nav class="docs-areas" aria-label="Parts of the reference">${links}</nav>`.html
}

export async function guidePage(guide: Guide, guides: readonly Guide[]): Promise<string> {
  // Loaded here and not above: a server that shows no guide needs none of it.
  const { render } = await import('./markdown.ts')
  const body = render(guide.text(), guides)
  return documentOf(
    guide.label,
    html`<main>${raw(body)}<p class="source"><a href="/docs/${guide.name}.md">This page as Markdown</a></p></main>`
      .html,
    guides,
    guide,
  )
}

/** All guides, and what else there is to download. */
export function guidesPage(guides: readonly Guide[]): string {
  const body = html`<main><h1>Guides</h1>
<ul class="cards">${guides.map(({ name, label, about }) => html`<li><a href="/docs/${name}">${label}</a><p>${about}</p></li>`)}</ul>
<h2 id="downloads">Downloads</h2>
<ul>
<li><a href="/openapi.json" download="lading-openapi.json">OpenAPI document</a>: every operation, for code generators and other tools.</li>
<li><a href="/docs/lading-sdk.tgz">SDK</a> for TypeScript and JavaScript: <code>npm install</code> takes this address. <a href="/docs/sdk">Its guide</a> says how to use it.</li>
<li><a href="/docs/postman.json">Postman collection</a>: every operation as a request, and one that gets a token.</li>
<li><a href="/llms.txt">llms.txt</a>: a table of contents for programs that read documentation.</li>
</ul></main>`
  return documentOf('Guides', body.html, guides)
}

function documentOf(title: string, body: string, guides: readonly Guide[], current?: Guide): string {
  const links = guides.map(
    (guide) =>
      html`<li><a href="/docs/${guide.name}"${guide === current && raw(' aria-current="page"')}>${guide.label}</a></li>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<title>${title} · Lading</title>
</head>
<body class="guide">
${raw(barAbove('guides'))}
<div class="columns"><nav class="guides" aria-label="Guides"><ul>${links}</ul></nav>
${raw(body)}</div>
</body>
</html>
`.html
}
