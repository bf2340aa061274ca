import Type, { type Static } from 'typebox'
import { named } from '../../../../platform/core/schema/names.ts'
import { Id, nullable, paging, Time } from '../../../../platform/core/schema/schema.ts'
import { syncedKinds } from '../../catalogue.ts'
import { ids, what } from '../../mappings/kept/model.ts'

export const syncStates = ['running', 'done', 'failed', 'cancelled'] as const
export const outcomes = ['pending', 'created', 'updated', 'removed', 'unchanged', 'skipped', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

/** So many documents of each sort one run takes across. */
export const mostDocuments = 10_000

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })

export const Sync = Type.Object(
  {
    id: Id('The run.'),
    org_id: Id('The organization.'),
    connection_id: Id('The connection.'),
    state: Type.Enum(syncStates, {
      description: 'How far it is. What failed of a run that is `done` can be tried again.',
      examples: ['running'],
    }),
    what: Type.Array(Type.Enum(syncedKinds), {
      description: 'What it takes across.',
      examples: [['bills', 'invoices', 'payments']],
    }),
    retry_of: nullable(Id('The run whose failures it tries again.')),
    has_more: Type.Boolean({
      description: 'Whether there was more than one run takes: start another.',
      examples: [false],
    }),
    reason: nullable(Type.String({ description: 'Why it could not go on.', examples: ['needs_sign_in'] })),
    error: nullable(
      Type.String({ description: 'The same in words.', examples: ['Nobody is signed in there any more.'] }),
    ),
    document_id: nullable(Id('The file that it made, of `GET /documents/{documentID}/content`.')),
    waits_until: nullable(Time('Until when it waits, because the other side asked for it.')),
    created_by: Type.String({ description: 'Who started it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    created_at: Time('When it was started.'),
    finished_at: nullable(Time('When it ended.')),
    counts: Type.Object(
      {
        total: count('How many records it has.'),
        pending: count('How many are left.'),
        created: count('How many are new there, or, of payments made there, here.'),
        updated: count('How many were changed there.'),
        removed: count('How many do not count there any more.'),
        unchanged: count('How many were there already as they are here.'),
        skipped: count(
          'How many do not belong there, wait for a document that is not there yet, or, of payments made there, moved no money.',
        ),
        failed: count('How many were refused.'),
      },
      { description: 'What came of its records.' },
    ),
  },
  { $id: 'ConnectorSync', description: 'A sync run: worked off in the background, with a result for each record.' },
)

export const SyncResult = Type.Object(
  {
    record_type: Type.Enum(['bill', 'invoice', 'payment'], { description: 'What the record is.', examples: ['bill'] }),
    record_id: nullable(Id('The record here; null of a payment made there that could not be recorded.')),
    number: nullable(Type.String({ description: 'The number people read.', examples: ['BILL-000123'] })),
    outcome: Type.Enum(outcomes, { description: 'What came of it.', examples: ['created'] }),
    remote_id: nullable(
      Type.String({
        description: 'What it is there; null also of a payment that is several there.',
        examples: ['145'],
      }),
    ),
    reason: nullable(
      Type.String({
        description: 'Why it failed or was skipped, or what of it was not sent.',
        examples: ['not_mapped'],
      }),
    ),
    error: nullable(
      Type.String({ description: 'The same in words.', examples: ['Map the carrier Cascade Carriers to a vendor.'] }),
    ),
    attempts: count('How often it was tried.'),
    finished_at: nullable(Time('When it was decided.')),
  },
  { $id: 'ConnectorSyncResult', description: 'What came of a record in a sync run.' },
)

export const SyncBody = named(
  'SyncScope',
  Type.Object({ what: Type.Optional(what), ids: Type.Optional(ids) }, { examples: [{ what: ['bills'] }] }),
)
export type SyncBody = Static<typeof SyncBody>

export const SyncSearch = Type.Object({
  status_ids: Type.Optional(
    Type.Array(Type.Enum(syncStates), {
      maxItems: 10,
      description: 'Keeps those that are so far.',
      examples: [['running']],
    }),
  ),
  ...paging,
})
export type SyncSearch = Static<typeof SyncSearch>

export const ResultSearch = Type.Object({
  outcomes: Type.Optional(
    Type.Array(Type.Enum(outcomes), {
      maxItems: 10,
      description: 'Keeps those of which this came.',
      examples: [['failed']],
    }),
  ),
  ...paging,
})
export type ResultSearch = Static<typeof ResultSearch>
