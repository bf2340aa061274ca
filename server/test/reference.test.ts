import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { errorCodes } from '../src/error-codes.ts'
import { areas, documentOf, pageOf } from '../src/tools/docs/areas.ts'
import { openService } from './service.ts'

// As every installation does.
await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../sdk/pack.ts', import.meta.url))])
const { app, settings } = await openService({ CORS_ORIGINS: 'https://a.example' })
const page = await app.inject('/docs/')
const script = new URL(/<script src="([^"]+)"/.exec(page.body)?.[1] as string, 'http://here/docs/')

const open: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
}

async function ask(url: string, headers: Record<string, string> = {}) {
  return app.inject({ url, headers })
}

for (const [name, path, least] of [
  ['the script of /docs', script.pathname + script.search, 3],
  ['/openapi.json', '/openapi.json', 5],
] as const) {
  describe(name, () => {
    test('comes in the best coding that the client takes, the same text in each, under an ETag of its own', async () => {
      const plain = await ask(path)
      const seen = new Set<unknown>()
      for (const [accept, coding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['GZIP', 'gzip'],
        ['br;q=0, gzip;q=0.5', 'gzip'],
        ['*', 'br'],
        ['*, br;q=0', 'gzip'],
        ['identity', 'identity'],
        ['br; q=0, *;q=0', 'identity'],
        ['nonsense;;q=,,=', 'identity'],
      ] as const) {
        const answer = await ask(path, { 'accept-encoding': accept })
        assert.equal(answer.statusCode, 200)
        assert.equal(answer.headers['content-encoding'] ?? 'identity', coding, accept)
        assert.equal(answer.headers['content-type'], plain.headers['content-type'])
        assert.equal(answer.headers.vary, 'Accept-Encoding')
        assert.match(String(answer.headers.etag), new RegExp(`^"[\\w-]{22}-${coding}"$`))
        assert.ok(open[coding]?.(answer.rawPayload).equals(plain.rawPayload), accept)
        if (coding !== 'identity')
          assert.ok(
            answer.rawPayload.length < plain.rawPayload.length / least,
            `${accept}: ${answer.rawPayload.length}`,
          )
        seen.add(answer.headers.etag)
      }
      assert.equal(seen.size, 3)
    })

    test('is not sent again to one who has it', async () => {
      const { headers } = await ask(path, { 'accept-encoding': 'br' })
      const again = await ask(path, { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) })
      assert.equal(again.statusCode, 304)
      assert.equal(again.rawPayload.length, 0)
      for (const kept of ['etag', 'vary', 'cache-control']) assert.equal(again.headers[kept], headers[kept], kept)
      assert.equal(
        (await ask(path, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })).statusCode,
        200,
        'other bytes',
      )
      assert.equal((await ask(path, { 'if-none-match': '"old"' })).statusCode, 200)
    })
  })
}

describe('the parts of the reference', () => {
  const whole = async () => (await ask('/openapi.json')).json()
  const parts = () => Promise.all(areas.map(async (area) => ({ area, document: (await ask(documentOf(area))).json() })))
  const operationsOf = (paths: Record<string, object>) =>
    Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))

  test('have every operation and every webhook of the document, each once, and every schema that they name', async () => {
    const { paths, webhooks } = await whole()
    const all = await parts()
    assert.deepEqual(all.flatMap(({ document }) => operationsOf(document.paths)).sort(), operationsOf(paths).sort())
    assert.deepEqual(all.flatMap(({ document }) => Object.keys(document.webhooks)).sort(), Object.keys(webhooks).sort())
    for (const { area, document } of all) {
      const names = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)]
      for (const [pointer, section = '', name = ''] of names)
        assert.ok(document.components[section]?.[name], `${area.slug}: ${pointer}`)
    }
  })

  test('are small, because a browser works for seconds through a document of all of it before it shows anything', async () => {
    for (const { area, document } of await parts()) {
      assert.ok(
        JSON.stringify(document).length < 1_100_000,
        `${area.slug} has ${JSON.stringify(document).length} characters: give some of its tags another area`,
      )
    }
  })

  test('are pages that lead to each other, and a page asks for its own part only', async () => {
    for (const area of areas) {
      const { statusCode, body, headers } = await ask(pageOf(area))
      assert.equal(statusCode, 200)
      for (const other of areas) assert.ok(body.includes(`href="${pageOf(other)}"`), `${area.slug} → ${other.slug}`)
      assert.deepEqual([...body.matchAll(/\/docs\/reference\/\w+\.json/g)].flat(), [documentOf(area)])
      const [, inline = ''] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(body) ?? []
      assert.ok(
        String(headers['content-security-policy']).includes(createHash('sha256').update(inline).digest('base64')),
        area.slug,
      )
    }
  })
})

test('the script of /docs is not even asked for again while it stays the same, and under no other name is that said', async () => {
  assert.equal(
    (await ask(script.pathname + script.search)).headers['cache-control'],
    'public, max-age=31536000, immutable',
  )
  assert.equal((await ask(script.pathname)).headers['cache-control'], 'no-cache')
  assert.equal((await ask(`${script.pathname}?older`)).headers['cache-control'], 'no-cache')
  assert.equal(page.headers['cache-control'], 'no-cache')
  assert.equal((await ask('/openapi.json')).headers['cache-control'], 'no-cache')
})

test('/openapi.json for a page of another origin varies by both', async () => {
  const { headers } = await ask('/openapi.json', { origin: 'https://a.example', 'accept-encoding': 'br' })
  assert.equal(headers['access-control-allow-origin'], 'https://a.example')
  assert.equal(headers.vary, 'Origin, Accept-Encoding')
})

const guides = readdirSync(new URL('../../docs/', import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -3))

describe('the guides', () => {
  test('have an address for each code of an error, the one that refusals name', async () => {
    const { body } = await ask('/docs/errors')
    for (const code of Object.keys(errorCodes))
      assert.ok(body.includes(`<tr id="${code}"><td><code>${code}</code>`), code)
    const refusal = await ask('/api/v1/nothing', { origin: 'https://a.example' })
    assert.equal(refusal.headers.link, `<${settings.publicUrl}/docs/errors#${refusal.json().error_code}>; rel="help"`)
    assert.match(String(refusal.headers['access-control-expose-headers']), /\bLink\b/)
  })

  test('are all files of docs/, each as a page and as text, with the addresses of this installation', async () => {
    assert.ok(guides.length >= 9)
    const index = (await ask('/docs/guides')).body
    const names = /\{(?:base|network|auth|authorize|token)_url\}|\{audience\}/
    for (const name of guides) {
      assert.ok(index.includes(`href="/docs/${name}"`), `${name} is in the list of guides`)
      const [page, text] = [await ask(`/docs/${name}`), await ask(`/docs/${name}.md`)]
      assert.deepEqual([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
      assert.match(page.body, /<h1 id="[^"]+">/)
      assert.ok(page.body.includes(`<a href="/docs/${name}" aria-current="page">`))
      assert.deepEqual([text.statusCode, text.headers['content-type']], [200, 'text/markdown; charset=utf-8'])
      assert.match(text.body, /^# /)
      for (const { body } of [page, text]) assert.doesNotMatch(body, names)
    }
    assert.ok((await ask('/docs/oauth')).body.includes(`<code>${settings.authUrl}/oauth2/token</code>`))
  })

  test('link to each other, to their parts and to downloads, and every link leads somewhere', async () => {
    const pages = new Map<string, string>()
    const body = async (path: string) => {
      if (!pages.has(path))
        pages.set(path, await ask(path).then(({ statusCode, body }) => (statusCode === 200 ? body : `${statusCode}`)))
      return pages.get(path) as string
    }
    for (const from of ['/docs/guides', ...guides.map((name) => `/docs/${name}`)]) {
      for (const [, link = ''] of (await body(from)).matchAll(/(?:href|src)="([^"]+)"/g)) {
        const to = new URL(link, `http://here${from}`)
        if (to.origin !== 'http://here') continue
        const found = await body(to.pathname)
        assert.ok(found.length > 3, `${from} → ${link}: ${found}`)
        if (to.hash) assert.ok(found.includes(`id="${to.hash.slice(1)}"`), `${from} → ${link}`)
      }
    }
  })

  test('may load nothing but their style and pictures from here, and no script', async () => {
    const { headers } = await ask('/docs/oauth')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self'; img-src 'self'; /)
  })
})

describe('for programs', () => {
  test('/llms.txt names the guides as text, and the Postman collection is a download', async () => {
    const llms = await ask('/llms.txt')
    assert.equal(llms.headers['content-type'], 'text/plain; charset=utf-8')
    for (const name of guides) assert.ok(llms.body.includes(`(${settings.publicUrl}/docs/${name}.md)`), name)
    const collection = await ask('/docs/postman.json')
    assert.equal(collection.headers['content-disposition'], 'attachment; filename="lading.postman_collection.json"')
    assert.equal(collection.json().variable[0].value, settings.publicUrl)
  })

  test('the SDK is a package of this version, compiled, with its methods', async () => {
    const { statusCode, headers, rawPayload } = await ask('/docs/lading-sdk.tgz')
    assert.deepEqual([statusCode, headers['content-type']], [200, 'application/gzip'])
    const content = new Map<string, string>()
    const unpacked = tar.extract()
    unpacked.end(gunzipSync(rawPayload))
    for await (const entry of unpacked) content.set(entry.header.name, await text(entry))
    const { name, version } = JSON.parse(content.get('package/package.json') as string)
    const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    assert.deepEqual([name, version], ['@lading/sdk', own.version])
    for (const file of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'dist/schema.d.ts'])
      assert.ok(content.get(`package/${file}`), file)
    assert.match(content.get('package/dist/methods/table.js') as string, /'GET \/api\/v1\/bills query page'/)
  })

  test('the introduction of the document has the addresses of this installation', async () => {
    const { info } = (await ask('/openapi.json')).json()
    assert.ok(info.description.includes(`curl ${settings.authUrl}/oauth2/token -d grant_type=password`))
    assert.doesNotMatch(info.description, /\{\w+_url\}/)
  })
})

test('/docs keeps the code with which a person comes back from authorizing it', async () => {
  const { statusCode, headers } = await ask('/docs?code=abc&state=x')
  assert.deepEqual([statusCode, headers.location], [301, '/docs/?code=abc&state=x'])
  assert.equal((await ask('/docs')).headers.location, '/docs/')
})
