import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { once, prepared, tagOf } from './prepared.ts'

const appearance = {
  url: '/openapi.json',
  pageTitle: 'API reference · Lading',
  favicon: '/favicon.svg',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'bearer' },
  agent: { disabled: true },
  mcp: { disabled: true },
}

const scriptPath = 'js/scalar.js'

/** The document at /openapi.json, and the page at /docs that shows it. */
export function serveReference(app: FastifyInstance, settings: Settings): void {
  const reference = once(drawReference)
  const page = once(async () => asOurPage(await reference(), settings))
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
  app.get(`/docs/${scriptPath}`, hidden, script)
}

/** The library brings its megabytes as routes for an app. They are loaded when first asked for, into an app that serves nothing else. */
async function drawReference(): Promise<{ html: string; script: string }> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: appearance as never })
  const [html, script] = [await app.inject('/docs/'), await app.inject(`/docs/${scriptPath}`)]
  await app.close()
  return { html: html.body, script: script.body }
}

/**
 * The page starts itself with one inline script, which the policy names by its hash, and it may call this installation only. Its styles are made
 * while it runs, so they cannot be named.
 */
function asOurPage({ html, script }: { html: string; script: string }, { publicUrl, networkUrl, authUrl }: Settings): { html: string; policy: string } {
  const page = html.replace('<html>', '<html lang="en">').replace(`"${scriptPath}"`, `"${scriptPath}?${tagOf(script)}"`)
  const scripts = [...page.matchAll(/<script type="text\/javascript">([\s\S]*?)<\/script>/g)].map(([, inline = '']) => `'sha256-${sha256(inline)}'`)
  const ours = new Set([publicUrl, networkUrl, authUrl].map((url) => new URL(url).origin))
  return {
    html: page,
    policy: `default-src 'none'; script-src 'self' ${scripts.join(' ')}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ${[...ours].join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
