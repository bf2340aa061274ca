import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import { notFound } from '../../core/refusal.ts'
import { named } from '../../core/schema/names.ts'
import type { NextName } from '../../core/schema/pages.ts'
import { envelopeOf, nullable, paging } from '../../core/schema/schema.ts'
import type { Reference } from '../../core/values/ids.ts'
import { ok } from '../../http/answers/answers.ts'
import type { App } from '../../http/edge/app.ts'
import { answers } from '../../http/openapi/openapi.ts'
import { listHistory, type Subject } from './history-store.ts'

const EventWithName = named(
  'HistoryEvent',
  Type.Intersect([
    Type.Ref('Event'),
    Type.Object({
      actor_name: nullable(
        Type.String({
          description: 'What the user or the application is called; null where it is gone.',
          examples: ['Dana Whitfield'],
        }),
      ),
    }),
  ]),
)

type Asking = Pick<FastifyRequest, 'ctx' | 'token' | 'params'>

/** Whose history is asked for; `isThere` is asked where nothing was recorded, and where it says no the answer is `unknown`. */
export type RecordedSubject = Subject & { isThere(): Promise<boolean>; unknown(): Error }

export type HistoryOf = {
  /** The path of the record, to which `/history` is added. */
  path: string
  config: Pick<FastifyContextConfig, 'scope' | 'right'>
  tags: readonly string[]
  /** How the name of the operation calls it: `PayTerm`. */
  name: string
  /** What a caller calls one, with its article: `a pay term`. */
  one: string
  params: TObject
  /** What is added to the description. */
  note?: string
  nextName?: NextName
  recordIn(asking: Asking): Promise<RecordedSubject> | RecordedSubject
}

/** The history of a record, the same for every resource: what happened, when, by whom, and what was before; of a record that is gone too. */
export function historyRoute(
  app: App,
  { path, config, tags, name, one, params, note, nextName = 'next_after', recordIn }: HistoryOf,
): void {
  app.get(
    `${path}/history`,
    {
      config,
      schema: {
        tags,
        operationId: `get${name}History`,
        summary: `The history of ${one}`,
        description: `Lists every change, newest first: what it was, when, by whom, and what was before.${note ? ` ${note}` : ''}`,
        params,
        querystring: Type.Object(paging),
        response: answers({
          200: named(
            nextName === 'next_after' ? 'HistoryPage' : 'HistoryPageV2',
            envelopeOf('events', EventWithName, nextName),
          ),
        }),
      },
    },
    async (request) => {
      const subject = await recordIn(request)
      const { total, json } = await listHistory(request.ctx, subject, request.query, nextName)
      if (total === 0 && !(await subject.isThere())) throw subject.unknown()
      return ok(json)
    },
  )
}

/** Said of records whose history stays when they are deleted. */
export const deletedToo = 'Of one that was deleted too, by its id.'

type Named<R extends Reference> = {
  type: string
  /** What the refusal calls it, and how the path names it. */
  what: string
  sent: string
  /** The id of the record that is there. */
  find(reference: R): Promise<string | undefined>
}

/** The record that a path names: by its id also one that is gone, by its external id one that is there. */
export async function recordedBy<R extends Reference>(
  reference: R,
  { type, what, sent, find }: Named<R>,
): Promise<RecordedSubject> {
  const unknown = () => notFound(what, sent)
  if (reference.by === 'id')
    return { type, id: reference.id, unknown, isThere: async () => (await find(reference)) !== undefined }
  const id = await find(reference)
  if (id === undefined) throw unknown()
  return { type, id, unknown, isThere: async () => true }
}
