import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { once, prepared } from '../../platform/http/answers/prepared.ts'
import { documentText } from '../../platform/http/openapi/openapi.ts'
import type { Settings } from '../../settings.ts'
import { areas, documentOf, pageOf, partOf } from './areas.ts'
import { guidePage, guidesPage } from './guide-page.ts'
import { type Guide, guideImages, readGuides } from './guides.ts'
import { llmsText } from './llms.ts'
import type { ApiDescription } from './operations.ts'
import { postmanCollection } from './postman.ts'
import { drawReference, referencePolicy } from './reference.ts'
import { style } from './style.ts'
import { forTrying } from './try-it.ts'

const hidden = { schema: { hide: true } }
const fresh = { cacheControl: () => 'no-cache' }
const json = { type: 'application/json; charset=utf-8', ...fresh }
/** Packed with the installation, as sdk/pack.ts says. */
const sdkFile = new URL('../../../../sdk/dist-packed/lading-sdk.tgz', import.meta.url)
/** The policy of the guides: nothing but their style and their pictures, from here. */
const guidePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The API reference at /docs, the guides next to it, and both in the forms that programs read. All is made from the document and docs/ on the first request. */
export async function docs(app: FastifyInstance, settings: Settings): Promise<void> {
  const document = (): ApiDescription => JSON.parse(documentText(app))
  const guides = readGuides(settings)

  app.get(
    '/openapi.json',
    hidden,
    prepared(async () => documentText(app), json),
  )
  app.get(
    '/llms.txt',
    hidden,
    prepared(async () => llmsText(document(), guides, settings), { type: 'text/plain; charset=utf-8', ...fresh }),
  )
  const collection = prepared(async () => JSON.stringify(postmanCollection(document(), settings)), json)
  app.get('/docs/postman.json', hidden, (request, reply) =>
    collection(request, reply.header('content-disposition', 'attachment; filename="lading.postman_collection.json"')),
  )
  app.get('/docs/lading-sdk.tgz', hidden, async (_request, reply) => {
    const bytes = await readFile(sdkFile).catch(() => null)
    if (!bytes) return reply.callNotFound()
    const headers = { 'cache-control': 'no-cache', 'content-disposition': 'attachment; filename="lading-sdk.tgz"' }
    return reply.headers(headers).type('application/gzip').send(bytes)
  })
  serveReference(app, settings, document)
  serveGuides(app, guides)
}

function serveReference(app: FastifyInstance, settings: Settings, document: () => ApiDescription): void {
  const reference = once(() => drawReference(settings))
  // With what comes after it: a person who authorized the page comes back with a code.
  app.get('/docs', hidden, async ({ url }, reply) => reply.redirect(`/docs/${/\?.*/.exec(url)?.[0] ?? ''}`, 301))
  for (const area of areas) {
    const path = pageOf(area)
    app.get(path, hidden, async (_request, reply) => {
      const html = (await reference()).pages.find((page) => page.path === path)?.html as string
      const headers = { 'content-security-policy': referencePolicy(html, settings), 'cache-control': 'no-cache' }
      return reply.headers(headers).type('text/html; charset=utf-8').send(html)
    })
    app.get(
      documentOf(area),
      hidden,
      prepared(async () => JSON.stringify(partOf(forTrying(document()), area)), json),
    )
  }
  const script = prepared(async () => (await reference()).script, {
    type: 'text/javascript; charset=utf-8',
    // The page asks for it by its tag; by any other name it may be another tomorrow.
    cacheControl: ({ query }, tag) =>
      Object.hasOwn(query as object, tag) ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  app.get('/docs/js/scalar.js', hidden, script)
}

function serveGuides(app: FastifyInstance, guides: readonly Guide[]): void {
  const page = (make: () => Promise<string>) => {
    const answer = prepared(make, { type: 'text/html; charset=utf-8', ...fresh })
    return (request: Parameters<typeof answer>[0], reply: FastifyReply) =>
      answer(request, reply.header('content-security-policy', guidePolicy))
  }
  app.get(
    '/docs/style.css',
    hidden,
    prepared(async () => style, { type: 'text/css; charset=utf-8', ...fresh }),
  )
  app.get(
    '/docs/guides',
    hidden,
    page(async () => guidesPage(guides)),
  )
  for (const guide of guides) {
    app.get(
      `/docs/${guide.name}`,
      hidden,
      page(() => guidePage(guide, guides)),
    )
    app.get(
      `/docs/${guide.name}.md`,
      hidden,
      prepared(async () => guide.text(), { type: 'text/markdown; charset=utf-8', ...fresh }),
    )
  }
  for (const { name, file } of guideImages()) {
    app.get(`/docs/images/${name}`, hidden, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('image/png').send(readFileSync(file)),
    )
  }
}
