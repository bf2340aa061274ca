import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { invalidAll, Refusal } from '../core/refusal.ts'
import { etagOf, type WireRecord } from '../core/schema/revisions.ts'
import type { Answer } from '../http/answers/answers.ts'
import type { App } from '../http/edge/app.ts'
import { isDryRun, isStrict } from '../http/input/preferences.ts'
import { type Naming, renamedJson } from './model.ts'
import { type ReceivedTransfer, receiveFile } from './receive.ts'
import type { Target, TransferableKind } from './transferable.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The file of an import, once it has arrived. */
    received: ReceivedTransfer | null
  }
}

/** How large a file may be, and for how many days a transfer is kept after its end. */
export type TransferLimits = { fileBytes: number; keptDays: number }

const type = 'text/csv'

/** Of the routes of this app, which take nothing else: hands the body on as it arrives, instead of reading all of it into memory first. */
export function acceptFiles(app: App): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('received', null)
  app.addContentTypeParser(type, (_request, payload, done) => done(null, payload))
}

/**
 * A step of a route before its parameters are checked: takes the file in. `whose` answers what the file is about and which scope that takes, or null
 * where the parameters do not say; the check then refuses them. For the check, and for the comparison with an earlier request of the same
 * Idempotency-Key, the hash of the file takes its place.
 */
export function receiving(
  transferable: TransferableKind,
  { fileBytes, keptDays }: TransferLimits,
  whose: (request: FastifyRequest) => (Target & { scope: string }) | null,
) {
  return async (request: FastifyRequest): Promise<void> => {
    const { ctx, token } = request
    const body = request.body as Readable | undefined
    if (!body)
      throw new Refusal(
        'invalid',
        'body_required',
        `This request needs a file as its body; send one, with Content-Type: ${type}.`,
      )
    const target = whose(request)
    request.body = 'not read'
    if (!target) return
    const sender = { ...target, scopes: [...token.scopes], keptDays, largest: fileBytes, keeps: !isDryRun(request) }
    const received = await receiveFile(ctx, transferable, sender, body)
    if (isStrict(request) && received.unknown.length > 0) throw unknownColumns(received.unknown)
    request.received = received
    request.body = received.digest
  }
}

/** The body of such a route, for the OpenAPI document. */
export function fileBody(example: string): TSchema {
  return {
    content: {
      [type]: { schema: Type.String({ description: 'RFC 4180, UTF-8, with a header.', examples: [example] }) },
    },
  } as never
}

/** The transfer was queued. */
export function accepted({ id, revision, json }: WireRecord & { id: string }, prefix: string, naming: Naming): Answer {
  return {
    status: 202,
    headers: { etag: etagOf(revision), location: `${prefix}/transfers/${id}` },
    body: `{"transfer":${renamedJson(json, naming)}}`,
  }
}

function unknownColumns(names: readonly string[]): Refusal {
  return invalidAll(
    names.map((name) => ({ field: name, code: 'unknown_column', message: `There is no column "${name}" here.` })),
  )
}
