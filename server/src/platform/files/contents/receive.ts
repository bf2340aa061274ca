import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { Refusal } from '../../core/refusal.ts'
import { newId } from '../../core/values/ids.ts'
import { storageAway } from '../storage/storage.ts'
import { checkedType, type Sample, sampleBytes } from './content-type.ts'
import { nameFor, nameIn, plainName } from './file-names.ts'

/** A file that has arrived and was found to be what it says: at `path`, until whoever asked for it removes it. */
export type Upload = {
  path: string
  size: number
  sha256: string
  fileName: string
  mediaType: string
  /** The other fields of a form; null where the file was the body itself. */
  fields: Record<string, string[]> | null
}

export const mostBytes = 25 * 2 ** 20
/** What a form has around its file. */
const formBytes = 2 ** 20

/** Takes a file in as it arrives, in memory that does not grow with it. Nothing is left of one that is refused. */
export async function receiveUpload(body: Readable, headers: IncomingHttpHeaders, folder: string): Promise<Upload> {
  if (Number(headers['content-length'] ?? 0) > mostBytes + formBytes) throw tooLarge()
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(away)
  const path = join(folder, newId())
  try {
    const isForm = /^multipart\/form-data(?:\s*;|$)/i.test(headers['content-type'] ?? '')
    const { name, type, fields, taken } = isForm
      ? await takeForm(body, headers, path)
      : await takeBody(body, headers, path)
    if (taken.size === 0) throw new Refusal('invalid', 'empty_file', 'The file is empty. Send one with content.')
    const plain = plainName(name)
    const mediaType = checkedType(taken.sample, plain, type)
    return { path, size: taken.size, sha256: taken.sha256, fileName: nameFor(plain, mediaType), mediaType, fields }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

type Taken = { size: number; sha256: string; sample: Sample }
type Arrived = { name: string | undefined; type: string | undefined; fields: Upload['fields']; taken: Taken }

async function takeBody(body: Readable, headers: IncomingHttpHeaders, path: string): Promise<Arrived> {
  const taken = await take(body, path)
  return { name: nameIn(headers['content-disposition']), type: headers['content-type'], fields: null, taken }
}

async function takeForm(body: Readable, headers: IncomingHttpHeaders, path: string): Promise<Arrived> {
  const fields: Record<string, string[]> = {}
  const files: (Omit<Arrived, 'taken' | 'fields'> & { taken: Promise<Taken> })[] = []
  let tooMany = false
  const form = formReader(headers)
  form.on('field', (name, value) => {
    fields[name] = [...(Object.hasOwn(fields, name) ? (fields[name] as string[]) : []), value]
  })
  form.on('file', (_field, stream, name, _encoding, type) => {
    const taken = take(stream, path)
    // The rest of a file that was refused is read and dropped, so that the answer can be.
    taken.catch(() => stream.resume())
    files.push({ name, type, taken })
  })
  for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit']) form.on(limit, () => (tooMany = true))
  await pipeline(bounded(body, mostBytes + formBytes), form).catch((error) => {
    throw error instanceof Refusal ? error : malformed((error as Error).message)
  })
  const [file] = files
  const taken = await file?.taken
  if (!file || !taken || tooMany)
    throw new Refusal('invalid', 'one_file_required', 'Send one file in the form, with at most 20 fields besides it.')
  return { name: file.name, type: file.type, fields, taken }
}

function formReader(headers: IncomingHttpHeaders) {
  try {
    return new Busboy({
      headers: headers as { 'content-type': string },
      limits: { files: 1, fields: 20, parts: 22, fieldSize: 64 * 1024, fileSize: mostBytes + 1, headerPairs: 50 },
    })
  } catch (error) {
    throw malformed((error as Error).message)
  }
}

/** Writes what arrives to a file, and notes what the check needs. */
async function take(stream: Readable, path: string): Promise<Taken> {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let size = 0
  let headSize = 0
  let tail: Buffer = Buffer.alloc(0)
  let hasZero = false
  async function* noted(): AsyncGenerator<Buffer> {
    for await (const chunk of bounded(stream, mostBytes)) {
      size += chunk.length
      hash.update(chunk)
      hasZero ||= chunk.includes(0)
      if (headSize < sampleBytes) head.push(chunk)
      headSize += chunk.length
      tail = chunk.length >= sampleBytes ? chunk : Buffer.concat([tail, chunk])
      tail = Buffer.from(tail.subarray(-sampleBytes))
      yield chunk
    }
  }
  await pipeline(noted(), createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error) => {
    // Whoever reads from the connection says what went wrong with it. One that was read to its end is destroyed as well.
    const isCut = stream.errored !== null || (stream.destroyed && !stream.readableEnded)
    throw error instanceof Refusal || isCut ? error : storageAway(error)
  })
  return {
    size,
    sha256: hash.digest('hex'),
    sample: { head: Buffer.concat(head).subarray(0, sampleBytes), tail, hasZero },
  }
}

/** Not destroyed when it is too long: that would close the connection before the refusal has gone out. */
async function* bounded(stream: Readable, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw tooLarge()
    yield chunk
  }
}

function tooLarge(): Refusal {
  return new Refusal(
    'too_large',
    'body_too_large',
    `A file can have at most ${mostBytes / 2 ** 20} MiB. Send a smaller one, such as a scan with fewer dots.`,
  )
}

function malformed(why: string): Refusal {
  return new Refusal(
    'invalid',
    'malformed_form',
    `The form cannot be read: ${why.replace(/\.$/, '')}. Send multipart/form-data with its boundary.`,
  )
}

function away(error: unknown): never {
  throw storageAway(error)
}
