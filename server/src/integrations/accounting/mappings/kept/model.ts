import Type, { type Static } from 'typebox'
import { named } from '../../../../platform/core/schema/names.ts'
import { Id, nullable, paging } from '../../../../platform/core/schema/schema.ts'
import { mappingKinds, syncedKinds } from '../../catalogue.ts'

const kind = Type.Enum(mappingKinds, {
  description:
    'What is mapped: bill item types as `bill_items` on bills and as `invoice_items` on invoices; `paying_accounts` are those of payment runs, one for each currency.',
  examples: ['bill_items'],
})
const remoteId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The id, the code or the name that it has there; null for none.',
    examples: ['7'],
  }),
)
const remoteName = nullable(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'What it is called there, for people.',
    examples: ['Freight costs'],
  }),
)

export const Mapping = Type.Object(
  {
    kind,
    record_id: Id('The record here.'),
    record_name: Type.String({ description: 'What it is called here.', examples: ['Line haul'] }),
    remote_id: remoteId,
    remote_name: remoteName,
  },
  {
    $id: 'ConnectorMapping',
    description: 'What a record is in the accounting system. Those of pay terms are their `connector_mappings`.',
  },
)

export const MappingSearch = Type.Object({
  kind,
  mapped: Type.Optional(
    Type.Boolean({ description: 'With true keeps those that are mapped, with false the others.', examples: [false] }),
  ),
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps those whose name contains this; upper and lower case are the same.',
      examples: ['haul'],
    }),
  ),
  ...paging,
})
export type MappingSearch = Static<typeof MappingSearch>

/** As many as one request sets. */
export const mostMappings = 500

export const MappingsBody = Type.Object({
  mappings: Type.Array(
    Type.Object({
      kind,
      record_id: Id(
        'The record here; carriers, customers and bill item types also by `ext:<external_id>`, or the number that people read.',
      ),
      remote_id: remoteId,
      remote_name: Type.Optional(remoteName),
    }),
    {
      minItems: 1,
      maxItems: mostMappings,
      description: 'Others stay as they are. A `remote_id` of null takes one away.',
    },
  ),
})
export type SentMapping = Static<typeof MappingsBody>['mappings'][number]

export const what = Type.Array(Type.Enum(syncedKinds), {
  minItems: 1,
  maxItems: 3,
  description:
    'What to take across; all that the connector can unless said. `payments` sends those that were made here, and brings those that were made there.',
  examples: [['bills']],
})
export const ids = Type.Array(Id('A bill or an invoice.'), {
  minItems: 1,
  maxItems: 500,
  description:
    'Only these bills and invoices, whether they have changed or not, and of the payments made here those that settle them.',
})

export const CheckBody = named('SyncScope', Type.Object({ what: Type.Optional(what), ids: Type.Optional(ids) }))

const gapKinds = [...mappingKinds, 'settings', 'documents'] as const

export const Gap = Type.Object({
  kind: Type.Enum(gapKinds, {
    description: 'What is missing: a mapping of this kind, a setting, or something of a document itself.',
    examples: ['partner_carriers'],
  }),
  record_id: nullable(Id('The record that is not mapped.')),
  name: Type.String({ description: 'What it is called here.', examples: ['Cascade Carriers'] }),
  needed: Type.Boolean({ description: 'Whether records are refused because of it.', examples: [true] }),
  document_count: Type.Integer({
    minimum: 1,
    description: 'How many of the documents and payments it concerns.',
    examples: [4],
  }),
  message: Type.String({ description: 'What to do.', examples: ['Map the carrier Cascade Carriers to a vendor.'] }),
})

export const Check = Type.Object({
  ok: Type.Boolean({ description: 'Whether nothing that is needed is missing.', examples: [false] }),
  document_count: Type.Integer({
    minimum: 0,
    description: 'How many documents and payments a sync would take across.',
    examples: [12],
  }),
  has_more: Type.Boolean({ description: 'Whether there are more than were looked at.', examples: [false] }),
  missing: Type.Array(Gap, { description: 'What is not mapped or set, what concerns most documents first.' }),
})
