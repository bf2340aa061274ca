import { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { invalid, Refusal } from '../../platform/core/refusal.ts'
import { unstorable } from '../../platform/core/values/storable.ts'
import type { Database } from '../../platform/db/database.ts'
import { addSecurityHeaders } from '../../platform/http/edge/edge.ts'
import { visitOf, visitor } from '../../platform/security-log/visitor.ts'
import type { Settings } from '../../settings.ts'
import { findClient } from '../applications/clients.ts'
import { answerAsOAuth, answerAsPage } from '../pages/failures.ts'

const pages = [
  '/oauth2/authorize',
  '/oauth2/authorize/:uid',
  '/oauth2/logout',
  '/oauth2/logout/success',
  '/oauth2/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
]
const posts = ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect', '/oauth2/logout/confirm']
const crossOrigin = [
  '/oauth2/token',
  '/oauth2/revoke',
  '/oauth2/introspect',
  '/oauth2/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
]

type Fields = Record<string, string | string[]>
type Parts = { settings: Settings; database: Database }

/**
 * Hands requests to the library, in the form it expects: body as a form, `Host` as the issuer has it whatever the client sent, `audience` by its
 * standard name `resource`, and the application's scopes where none are asked for.
 */
export async function mountProvider(
  app: FastifyInstance,
  { provider, settings, database }: Parts & { provider: () => Provider },
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 56 * 1024 },
    (_request, body, done) => done(null, formFields(new URLSearchParams(body as string))),
  )
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: 56 * 1024 }, (_request, body, done) =>
    done(null, jsonFields(body as string)),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 56 * 1024 }, (_request, _body, done) =>
    done(null, undefined),
  )

  app.setErrorHandler((error: Error, request, reply) =>
    (isPage(request) ? answerAsPage : answerAsOAuth)(error, request, reply),
  )

  const handle = (request: FastifyRequest, reply: FastifyReply) =>
    hand(request, reply, provider(), { settings, database })
  for (const url of pages) app.get(url, { schema: { hide: true } }, handle)
  for (const url of posts) app.post(url, { schema: { hide: true } }, handle)
  app.post('/oauth2/authorize', { schema: { hide: true } }, askAsAddress)
  for (const url of crossOrigin) app.options(url, { schema: { hide: true } }, handle)
}

/** Longer ones do not pass through every proxy as an address. */
const longestQuery = 8_000

/**
 * An authorization request as a form. That of another site arrives without our cookies (`SameSite=Lax`), so nobody would be signed in: the browser is
 * sent on with the same request as an address, to which it adds them.
 */
async function askAsAddress(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(
      'unsupported_media',
      'unsupported_media_type',
      'An authorization request is sent as a form: application/x-www-form-urlencoded.',
    )
  }
  const query = queryOf((request.body ?? {}) as Fields)
  if (query.length > longestQuery)
    throw new Refusal('too_large', 'body_too_large', `An authorization request has at most ${longestQuery} bytes.`)
  return reply.header('cache-control', 'no-store').redirect(`/oauth2/authorize?${query}`, 303)
}

/** People come to these two with a browser; to all the others come programs, whatever they say they accept. */
function isPage({ url }: FastifyRequest): boolean {
  return /^\/oauth2\/(?:authorize|logout)(?:[/?]|$)/.test(url)
}

async function hand(request: FastifyRequest, reply: FastifyReply, provider: Provider, parts: Parts): Promise<void> {
  const prepared = await asLibraryExpects(request, parts)
  addSecurityHeaders(request, reply)
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value as string)
  reply.hijack()
  await visitor.run(visitOf(request), () => provider.callback()(prepared, reply.raw))
}

async function asLibraryExpects(request: FastifyRequest, parts: Parts): Promise<IncomingMessage> {
  const { raw, body, headers, url } = request
  refuseUnreadable(fieldsIn(url))
  if (body !== undefined) refuseUnreadable(body as Fields)
  const issuer = new URL(parts.settings.authUrl)
  const message = new IncomingMessage(raw.socket)
  message.method = raw.method as string
  message.url = await prepareQuery(url, parts)
  message.httpVersion = raw.httpVersion
  message.headers = { ...headers, host: issuer.host, ...(!isPage(request) && { accept: 'application/json' }) }
  for (const name of Object.keys(message.headers))
    if (name.startsWith('x-forwarded-') || name === 'forwarded') delete message.headers[name]
  // Koa takes the scheme from here; the issuer says which one people see.
  message.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1)
  if (body !== undefined) {
    const bytes = Buffer.from(queryOf(await prepareBody(body as Fields, headers.authorization, url, parts)))
    message.headers['content-type'] = 'application/x-www-form-urlencoded'
    message.headers['content-length'] = String(bytes.length)
    delete message.headers['transfer-encoding']
    message.push(bytes)
  }
  message.push(null)
  // All of it is here: a message that ends before it is complete would take the connection down with it.
  message.complete = true
  return message
}

async function prepareQuery(url: string, parts: Parts): Promise<string> {
  if (!url.startsWith('/oauth2/authorize?')) return url
  const fields = await withDefaults(fieldsIn(url), undefined, parts)
  return `/oauth2/authorize?${queryOf(fields)}`
}

function fieldsIn(url: string): Fields {
  return formFields(new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''))
}

function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) query.append(name, one)
  return query.toString()
}

async function prepareBody(
  fields: Fields,
  authorization: string | undefined,
  url: string,
  parts: Parts,
): Promise<Fields> {
  if (!url.startsWith('/oauth2/token')) return fields
  const scopeMatters = fields.grant_type === 'client_credentials' || fields.grant_type === 'password'
  return withDefaults(fields, scopeMatters ? clientIdIn(authorization) : null, parts)
}

/** Where `client` is null, the scope stays as it is. */
async function withDefaults(
  { audience, ...fields }: Fields,
  client: string | null | undefined,
  parts: Parts,
): Promise<Fields> {
  if (audience !== undefined && audience !== '')
    fields.resource = targetOf([fields.resource || [], audience].flat(), parts.settings)
  if (client === null || (fields.scope !== undefined && fields.scope !== '')) return fields
  const id = client ?? fields.client_id
  const application = typeof id === 'string' ? await findClient(parts, id) : undefined
  return application ? { ...fields, scope: application.scopes.join(' ') } : fields
}

/** Two names of one thing. Where they differ at least one is wrong, and the library answers `invalid_target` to that one. */
function targetOf(named: string[], { audience }: Settings): string {
  return named.find((name) => name !== audience) ?? audience
}

/** Some of it is kept between two requests, and PostgreSQL keeps no NUL. */
function refuseUnreadable(fields: Fields): void {
  const broken = Object.entries(fields).find(([, value]) => [value].flat().some(unstorable))
  if (broken)
    throw invalid(
      broken[0],
      'bad_text',
      `the parameter ${broken[0].replace(/[^\w-]/g, '?').slice(0, 40)} contains characters that cannot be read`,
    )
}

function clientIdIn(authorization: string | undefined): string | undefined {
  const encoded = /^basic +(\S.*)$/i.exec(authorization ?? '')?.[1]
  const id = encoded && Buffer.from(encoded, 'base64').toString().split(':')[0]
  return id || undefined
}

/** A repeated field stays repeated: the library refuses it. */
function formFields(form: URLSearchParams): Fields {
  const fields: Fields = {}
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    fields[name] = values.length === 1 ? (values[0] as string) : values
  }
  return fields
}

/** A JSON token request is a form with other punctuation. What is not a flat object of texts cannot be one, and is left for the library to miss. */
function jsonFields(body: string): Fields {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return {}
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {}
  return Object.fromEntries(
    Object.entries(parsed)
      .filter(([, value]) => [value].flat().every(isText))
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}

/** Or what has a text of its own. That of an object is whatever it says, and of lists within lists there may be no end. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
