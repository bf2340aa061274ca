import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authority } from '../../identity/server/authority.ts'
import { consoleClientId, consoleScope } from '../../platform/access/console-client.ts'
import { once, prepared } from '../../platform/http/answers/prepared.ts'
import type { Settings } from '../../settings.ts'
import { readConsole, readPublic } from './files.ts'

/** The first parts of the console's paths. Everything below one of them is the console's to show or to miss. */
const sections = [
  ...[
    '/home',
    '/signed-in',
    '/settings',
    '/developers',
    '/payables',
    '/bills',
    '/statements',
    '/payees',
    '/invoices',
    '/credits',
    '/payments',
  ],
  ...['/payment-runs', '/reports', '/dispatch', '/emanifests', '/objects'],
]

const files = once(async () => readConsole())

type Show = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type Parts = { authority: Authority; settings: Settings; showConsole: Show }

/** Every answer has a nonce of its own, by which the page may add the styles that its parts bring along. */
export function consolePage(settings: Settings, which: 'page' | 'portal' = 'page'): Show {
  return async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const { [which]: page } = await files()
    return reply
      .headers({
        'content-security-policy': consolePolicy(nonce, settings),
        'cache-control': 'no-cache',
        vary: 'Accept, Cookie',
      })
      .type('text/html; charset=utf-8')
      .send(
        page
          .replace('%nonce%', nonce)
          .replace('%settings%', () => escapeAttribute(JSON.stringify(settingsFor(settings)))),
      )
  }
}

/** The landing page for those who are signed out, the console for those who are signed in, and the files of both. */
export async function consolePages(app: FastifyInstance, { authority, settings, showConsole }: Parts): Promise<void> {
  const hidden = { schema: { hide: true } }
  const landing = prepared(async () => readPublic('landing.html'), {
    type: 'text/html; charset=utf-8',
    cacheControl: () => 'no-cache',
  })

  app.get('/', hidden, async (request, reply) => {
    if (await isSignedIn(request, reply)) return showConsole(request, reply)
    reply.headers({ 'content-security-policy': landingPolicy, vary: 'Cookie' })
    return landing(request, reply)
  })
  for (const section of sections) {
    app.get(section, hidden, showConsole)
    app.get(`${section}/*`, hidden, showConsole)
  }
  const showPortal = consolePage(settings, 'portal')
  app.get('/portal', hidden, showPortal)
  app.get('/portal/*', hidden, showPortal)
  app.get('/favicon.svg', hidden, publicFile('favicon.svg', 'image/svg+xml'))
  app.get('/landing.css', hidden, publicFile('landing.css', 'text/css; charset=utf-8'))

  const assets = new Map<string, ReturnType<typeof prepared>>()
  app.get('/assets/:name', hidden, async (request, reply) => {
    const { name } = request.params as { name: string }
    const file = (await files()).assets.get(name)
    if (!file) return reply.callNotFound()
    const answer =
      assets.get(name) ??
      prepared(async () => file, { type: file.type, cacheControl: () => 'public, max-age=31536000, immutable' })
    assets.set(name, answer)
    return answer(request, reply)
  })

  async function isSignedIn(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (!request.headers.cookie) return false
    const provider = authority.provider()
    const session = await provider.Session.get(provider.createContext(request.raw, reply.raw) as never)
    return session.accountId !== undefined
  }
}

const landingPolicy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

function consolePolicy(nonce: string, { publicUrl, networkUrl, authUrl }: Settings): string {
  const ours = [...new Set([publicUrl, networkUrl, authUrl].map((url) => new URL(url).origin))].join(' ')
  return `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' ${ours}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`
}

/** What the console gets to know of this installation; nothing of it is secret. */
function settingsFor({ version, publicUrl, networkUrl, authUrl, audience }: Settings) {
  return { version, publicUrl, networkUrl, authUrl, audience, clientId: consoleClientId, scope: consoleScope }
}

function publicFile(name: string, type: string) {
  const answer = prepared(async () => readPublic(name), { type, cacheControl: () => 'no-cache' })
  return (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-security-policy', landingPolicy)
    return answer(request, reply)
  }
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
