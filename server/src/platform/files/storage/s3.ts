import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import { type ContentKey, keyIn, pathOf, type Storage, storageAway } from './storage.ts'

/** A bucket of any service with the protocol of Amazon S3. Without an endpoint it is Amazon's own. */
export type Bucket = {
  bucket: string
  prefix: string
  region: string
  endpoint: string | null
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

/** How long a request may wait for the head of its answer. */
const patienceMs = 60_000

export function s3Storage({
  bucket,
  prefix,
  region,
  endpoint,
  accessKeyId,
  secretAccessKey,
  sessionToken,
}: Bucket): Storage {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    service: 's3',
    region,
    retries: 2,
  })
  const base = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`
  const folder = prefix === '' ? '' : `${prefix}/`
  const addressOf = (key: ContentKey) => `${base}/${folder.split('/').map(encodeURIComponent).join('/')}${pathOf(key)}`

  /** What the server answers; anything that says it cannot be reached or used is a 503 of ours, with the reason in the log. */
  async function ask(url: string, init: RequestInit, wanted: readonly number[]): Promise<Response> {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(new Error('it did not answer in time')), patienceMs)
    const answer = await client
      .fetch(url, { ...init, signal: patience.signal })
      .catch((error) => {
        throw storageAway(error)
      })
      .finally(() => clearTimeout(timer))
    if (wanted.includes(answer.status)) return answer
    throw storageAway(
      new Error(
        `${init.method ?? 'GET'} ${url.replace(/\?.*/, '')} was answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`,
      ),
    )
  }

  const sizeOf: Storage['sizeOf'] = async (key) => {
    const answer = await ask(addressOf(key), { method: 'HEAD' }, [200, 404])
    return answer.status === 200 ? Number(answer.headers.get('content-length')) : null
  }

  return {
    name: `s3://${bucket}/${prefix}`,
    isLocal: false,
    sizeOf,
    async put(key, path, size) {
      if ((await sizeOf(key)) === size) return
      // Sent from the disk, with its length; the hash is signed, so the server refuses bytes that are not these.
      const body = await openAsBlob(path)
      const answer = await ask(
        addressOf(key),
        { method: 'PUT', body, headers: { 'x-amz-content-sha256': key.sha256 } },
        [200],
      )
      await answer.body?.cancel()
    },
    async read(key, span) {
      const headers = span && { range: `bytes=${span.first}-${span.last}` }
      const { body } = await ask(addressOf(key), { ...(headers && { headers }) }, [span ? 206 : 200])
      return body ? Readable.fromWeb(body as never) : Readable.from([])
    },
    async remove(key) {
      const answer = await ask(addressOf(key), { method: 'DELETE' }, [200, 204, 404])
      await answer.body?.cancel()
    },
    async *list() {
      for (let next: string | undefined, more = true; more; more = next !== undefined) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: folder,
          ...(next !== undefined && { 'continuation-token': next }),
        })
        const text = await (await ask(`${base}/?${query}`, {}, [200])).text()
        for (const entry of text.split('<Contents>').slice(1)) {
          const key = keyIn(valueIn(entry, 'Key')?.slice(folder.length) ?? '')
          if (key) yield { ...key, size: Number(valueIn(entry, 'Size')) }
        }
        next = valueIn(text, 'NextContinuationToken')
      }
    },
  }
}

function valueIn(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: keyof typeof entities) => entities[entity])
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
