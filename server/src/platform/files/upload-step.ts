import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../core/refusal.ts'
import type { App } from '../http/edge/app.ts'
import { parseJson } from '../http/input/json-body.ts'
import { isDryRun } from '../http/input/preferences.ts'
import { keepContent } from './actions.ts'
import { attachmentsIn } from './attaching.ts'
import { receiveUpload, type Upload } from './contents/receive.ts'
import { requireRoom } from './contents/room.ts'
import type { Storage } from './storage/storage.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The file of an upload, once it has arrived. */
    upload: Upload | null
  }
}

/** For routes that take files in: they read bodies of any type as they arrive, and remove what is left of them. */
export function takeUploads(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.decorateRequest('upload', null)
  app.addHook('onResponse', async ({ upload }) => {
    if (upload) await rm(upload.path, { force: true })
  })
}

/**
 * A step before parameters are checked: takes the file in. For the check, and for the comparison with an earlier request of the same Idempotency-Key, its
 * name and hash take its place.
 */
export async function receiveFile(request: FastifyRequest, storage: Storage, folder: string): Promise<void> {
  const body = request.body as Readable | undefined
  if (!body) throw new Refusal('invalid', 'body_required', 'This request needs a file as its body, or a form with one.')
  if (!isDryRun(request)) await requireRoom(request.ctx, storage.limits, 'organization', request.ctx.org)
  const upload = await receiveUpload(body, request.headers, folder)
  request.upload = upload
  const file = `${upload.fileName} ${upload.mediaType} ${upload.sha256}`
  request.body = upload.fields ? { ...valuesOf(upload.fields), file } : file
  if (!isDryRun(request)) await keepContent(request.ctx, storage, upload)
}

/** A field that came once is a text, and `attached_to` a list however it came. */
function valuesOf({ attached_to, ...fields }: Record<string, string[]>): Record<string, unknown> {
  const texts = Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
  if (!attached_to) return texts
  const [first = ''] = attached_to
  const isJson = attached_to.length === 1 && /^\s*\[/.test(first)
  const named = attached_to.flatMap((value) => value.split(',')).filter((value) => value.trim() !== '')
  return { ...texts, attached_to: isJson ? parseJson(Buffer.from(first)) : attachmentsIn(named) }
}
