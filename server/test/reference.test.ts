import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openService } from './service.ts'

const { app } = await openService({ CORS_ORIGINS: 'https://a.example' })
const page = await app.inject('/docs/')
const script = new URL(/<script src="([^"]+)"/.exec(page.body)?.[1] as string, 'http://here/docs/')

const open: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes) => bytes }

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
        if (coding !== 'identity') assert.ok(answer.rawPayload.length < plain.rawPayload.length / least, `${accept}: ${answer.rawPayload.length}`)
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
      assert.equal((await ask(path, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })).statusCode, 200, 'other bytes')
      assert.equal((await ask(path, { 'if-none-match': '"old"' })).statusCode, 200)
    })
  })
}

test('the script of /docs is not even asked for again while it stays the same, and under no other name is that said', async () => {
  assert.equal((await ask(script.pathname + script.search)).headers['cache-control'], 'public, max-age=31536000, immutable')
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
