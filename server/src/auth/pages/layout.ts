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
  /** Where a form on the page may lead to in the end, beside our own origin: browsers hold redirects to the policy as well. */
  leadsTo?: string
}

type Part = Html | string | number | undefined | null | false | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.reduce((all, text, index) => all + text + (index < parts.length ? render(parts[index]) : ''), '') }
}

export function raw(text: string): Html {
  return { html: text }
}

/** For the library's own pages. */
export function showPage(ctx: { status: number; type: string; body: unknown; set(headers: Record<string, string>): void }, page: Page): void {
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

/** No script, no image, nothing from elsewhere; the one style is named by its hash. */
function headersOf({ leadsTo, headers }: Page): Record<string, string> {
  return {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${leadsTo ? ` ${leadsTo}` : ''}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    ...headers,
  }
}

function documentOf({ title, body }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Lading</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<p class="brand"><svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true"><rect x="1" y="5" width="14" height="11" rx="2"/><path d="M15 9h4l4 4v3h-8z"/><circle cx="6" cy="18" r="2.5"/><circle cx="18" cy="18" r="2.5"/></svg> Lading</p>
${body}
</main>
</body>
</html>`.html
}
