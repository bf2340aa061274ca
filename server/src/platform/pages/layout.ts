import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { style } from './style.ts'

/** Text that is HTML already. Everything else put into `html` is escaped. */
export type Html = { readonly html: string }

export type Page = {
  title: string
  body: Html
  status?: number
  headers?: Record<string, string>
  /** Where a form on the page may lead to in the end, besides our own origin: browsers hold redirects to the policy as well. */
  leadsTo?: string
  /** The one script that the page may run, by its hash. */
  script?: string
}

type Part = Html | string | number | undefined | null | false | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return {
    html: strings.reduce((all, text, index) => all + text + (index < parts.length ? render(parts[index]) : ''), ''),
  }
}

export function raw(text: string): Html {
  return { html: text }
}

export const truck = raw(
  '<svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><path d="M4 7h14a2 2 0 0 1 2 2v12H10.9a3.9 3.9 0 0 0-7.4-1H2V9a2 2 0 0 1 2-2zm18 5h3.6a2 2 0 0 1 1.7.9l2.4 3.7a2 2 0 0 1 .3 1.1V19a2 2 0 0 1-1.6 2 3.9 3.9 0 0 0-6.4-2.3z"/><circle cx="7.2" cy="22.2" r="2.6"/><circle cx="24.6" cy="22.2" r="2.6"/></svg>',
)

const signs = {
  bad: 'M10 1a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm-1 4.5v6h2v-6zm0 7.5v2h2v-2z',
  good: 'M10 1a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm3.7 5.4L9 11.1 6.8 8.9 5.4 10.3 9 13.9l6.1-6.1z',
}

/** A message above a form: what went wrong, read out at once, or what was done. */
export function note(kind: 'bad' | 'good', text: string): Html {
  return html`<p class="note ${kind}" id="note" role="${kind === 'bad' ? 'alert' : 'status'}">${sign(kind, 20)}<span>${text}</span></p>`
}

/** What to think about before going on. */
export function warning(text: Html): Html {
  return html`<p class="note bad">${sign('bad', 20)}<span>${text}</span></p>`
}

/** A page that only says something. */
export function notice(title: string, body: Html, kind?: 'bad' | 'good'): Html {
  return html`<section class="card">${kind && html`<div class="mark ${kind}">${sign(kind, 24)}</div>`}<h1>${title}</h1>
${body}</section>`
}

function sign(kind: 'bad' | 'good', size: number): Html {
  return html`<svg viewBox="0 0 20 20" width="${size}" height="${size}" aria-hidden="true"><path fill-rule="evenodd" d="${signs[kind]}"/></svg>`
}

/** For the library's own pages. */
export function showPage(
  ctx: { status: number; type: string; body: unknown; set(headers: Record<string, string>): void },
  page: Page,
): void {
  if (page.status) ctx.status = page.status
  ctx.set(headersOf(page))
  ctx.type = 'html'
  ctx.body = documentOf(page)
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers(headersOf(page))
    .type('text/html; charset=utf-8')
    .send(documentOf(page))
}

function render(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(render).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const styleHash = createHash('sha256').update(style).digest('base64')

/** Nothing from elsewhere; style and script are named by their hashes, and the one image is the icon in the tab. */
function headersOf({ leadsTo, script, headers }: Page): Record<string, string> {
  const scriptSource = script ? ` script-src ${script};` : ''
  return {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}';${scriptSource} img-src 'self'; form-action 'self'${leadsTo ? ` ${sourcesOf(leadsTo)}` : ''}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    ...headers,
  }
}

/**
 * The application may lead on from where it got people back, and browsers hold that redirect to the policy as well: so the policy names the scheme
 * and not the origin. Plain http it allows where the application itself is there, on a loopback address.
 */
function sourcesOf(origin: string): string {
  return new URL(origin).protocol === 'http:' ? 'http: https:' : 'https:'
}

function documentOf({ title, body }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${title} · Lading</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<p class="brand">${truck} Lading</p>
${body}
</main>
</body>
</html>`.html
}
