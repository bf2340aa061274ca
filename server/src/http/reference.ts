import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once as event } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { type Compressed, once, prepared } from './prepared.ts'

type Reference = { html: string; script: Compressed }

/** The document at /openapi.json, and the page at /docs that shows it. */
export function serveReference(app: FastifyInstance, settings: Settings): void {
  const reference = once(drawReference)
  const page = once(async () => ({ html: (await reference()).html, policy: policyFor((await reference()).html, settings) }))
  const document = prepared(async () => JSON.stringify(app.swagger()), { type: 'application/json; charset=utf-8', cacheControl: () => 'no-cache' })
  const script = prepared(async () => (await reference()).script, {
    type: 'text/javascript; charset=utf-8',
    // The page asks for it by its tag; by any other name it may be another tomorrow.
    cacheControl: ({ query }, tag) => (Object.hasOwn(query as object, tag) ? 'public, max-age=31536000, immutable' : 'no-cache'),
  })
  const hidden = { schema: { hide: true } }
  app.get('/openapi.json', hidden, document)
  app.get('/docs', hidden, async (_request, reply) => reply.redirect('/docs/', 301))
  app.get('/docs/', hidden, async (_request, reply) => {
    const { html, policy } = await page()
    return reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' }).type('text/html; charset=utf-8').send(html)
  })
  app.get('/docs/js/scalar.js', hidden, script)
}

async function drawReference(): Promise<Reference> {
  const child = fork(new URL('./draw-reference.ts', import.meta.url), { serialization: 'advanced', execArgv: [] })
  const ended = event(child, 'exit').then(([code]) => Promise.reject(new Error(`the API reference could not be drawn (exit code ${code})`)))
  const [drawn] = await Promise.race([event(child, 'message'), ended])
  child.kill()
  return drawn
}

/**
 * The page starts itself with one inline script, which the policy names by its hash, and it may call this installation only. Its styles are made
 * while it runs, so they cannot be named.
 */
function policyFor(html: string, { publicUrl, networkUrl, authUrl }: Settings): string {
  const scripts = [...html.matchAll(/<script type="text\/javascript">([\s\S]*?)<\/script>/g)].map(([, inline = '']) => `'sha256-${sha256(inline)}'`)
  const ours = new Set([publicUrl, networkUrl, authUrl].map((url) => new URL(url).origin))
  return `default-src 'none'; script-src 'self' ${scripts.join(' ')}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ${[...ours].join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
