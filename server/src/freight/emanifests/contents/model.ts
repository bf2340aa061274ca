import Type, { type Static } from 'typebox'
import { conflict, type Detail, invalidAll, quote, type Refusal } from '../../../platform/core/refusal.ts'
import { changedBetween, Id, nullable, paging, Time, wholeEdit } from '../../../platform/core/schema/schema.ts'
import { parseDate, toWire } from '../../../platform/core/values/dates.ts'
import { type Border, borders, type Purpose, purposes } from './codes.ts'
import {
  type Driver,
  readParts,
  type SentDriver,
  type SentShipment,
  type SentTractor,
  type SentTrailer,
  type Shipment,
  sentParts,
  type Tractor,
  type Trailer,
  wholeDriver,
  wholeShipment,
  wholeTractor,
  wholeTrailer,
} from './parts.ts'

export const states = ['draft', 'validated', 'submitted', 'accepted', 'rejected', 'cancelled'] as const
export type State = (typeof states)[number]
export const filingStates = ['waiting', 'sent', 'received', 'accepted', 'rejected', 'failed'] as const
export type FilingState = (typeof filingStates)[number]

const head = {
  stop_id: nullable(Id('The stop of the manifest at which the border is crossed.')),
  carrier_code: nullable(
    Type.String({
      maxLength: 4,
      description: 'The code of the carrier with customs: the SCAC, or the code that the CBSA gave it.',
      examples: ['CSCD'],
    }),
  ),
  trip_number: nullable(
    Type.String({
      maxLength: 25,
      description:
        'The number that customs knows the trip by, which begins with the code of the carrier. It is unique among those that are not cancelled.',
      examples: ['CSCDTRIP5521'],
    }),
  ),
  port: nullable(
    Type.String({
      maxLength: 4,
      description: 'Where it crosses: the code of the port of entry, or of the customs office.',
      examples: ['3004'],
    }),
  ),
  crossing_at: nullable(Time('When it is expected there.')),
  is_empty: Type.Boolean({ description: 'Whether the truck crosses without freight.', examples: [false] }),
}

const problem = Type.Object(
  {
    control_number: nullable(
      Type.String({
        description: 'The shipment that it is about; null where it is about the whole.',
        examples: ['CSCD0099321'],
      }),
    ),
    code: nullable(Type.String({ description: 'The code of customs, where it says one.', examples: ['042'] })),
    message: Type.String({ description: 'What customs says.', examples: ['INVALID CONSIGNEE ADDRESS'] }),
  },
  { description: 'What customs found wrong.' },
)

const acknowledgement = Type.Object(
  {
    kind: Type.Enum(['TA1', '997', '355', '350'], {
      description: 'What came back: of the envelope, of the syntax, the decision, the status.',
      examples: ['997'],
    }),
    outcome: Type.Enum(['accepted', 'rejected', 'status'], { description: 'What it says.', examples: ['accepted'] }),
    messages: Type.Array(Type.String({ examples: ['AK5: accepted'] }), { description: 'What it says in words.' }),
    received_at: Time('When it came.'),
  },
  { description: 'What came back.' },
)

const filing = Type.Object(
  {
    id: Id('The filing.'),
    submission: Type.Integer({
      minimum: 1,
      description: 'Which submission of the e-manifest it belongs to, from 1.',
      examples: [1],
    }),
    control_number: Type.String({
      description: 'The control number of its interchange; unique in the organization.',
      examples: ['000000001'],
    }),
    transaction_set: Type.Enum(['309', '358'], {
      description: '`309`: the manifest with its shipments; `358`: the conveyance and what is on it.',
      examples: ['309'],
    }),
    purpose: Type.Enum(purposes, { description: 'What it is for.', examples: ['original'] }),
    state: Type.Enum(filingStates, {
      description:
        '`waiting` to be handed over, `sent`, `received` (its syntax was acknowledged), `accepted` or `rejected` by customs, `failed` to be handed over.',
      examples: ['sent'],
    }),
    attempts: Type.Integer({ minimum: 0, description: 'How often it was tried.', examples: [1] }),
    next_attempt_at: nullable(Time('When it is tried again.')),
    error: nullable(
      Type.String({
        description: 'What the last attempt met.',
        examples: ['customs.example.com did not answer within 30 s.'],
      }),
    ),
    sent_at: nullable(Time('When it was handed over.')),
    answered_at: nullable(Time('When customs decided.')),
    created_at: Time('When it was written.'),
    acknowledgements: Type.Array(acknowledgement, { description: 'What came back, the first first.' }),
  },
  {
    description: 'An interchange that was handed over. Its text is at `/emanifests/{id}/filings/{filing id}/content`.',
  },
)

export const Emanifest = Type.Object(
  {
    id: Id('The e-manifest.'),
    org_id: Id('The organization.'),
    manifest_id: Id('The manifest that it was made from.'),
    manifest_number: nullable(
      Type.String({ description: 'The id of the manifest that people read.', examples: ['MAN-12'] }),
    ),
    border: Type.Enum(borders, {
      description: '`ace`: into the United States; `aci`: into Canada.',
      examples: ['ace'],
    }),
    state: Type.Enum(states, { description: 'Where it stands.', examples: ['draft'] }),
    ...head,
    ...readParts,
    shipment_statuses: Type.Array(
      Type.Object({
        control_number: nullable(
          Type.String({
            description: 'The shipment; null where the status is of the trip.',
            examples: ['CSCD0099321'],
          }),
        ),
        code: Type.String({ description: 'The code of customs.', examples: ['1C'] }),
        at: nullable(Time('When it was so.')),
        entry_number: nullable(
          Type.String({ description: 'The entry that it was cleared with.', examples: ['31612345678'] }),
        ),
        message: nullable(Type.String({ description: 'What customs says.', examples: ['ENTERED AND RELEASED'] })),
      }),
      { description: 'What customs said about its shipments since (X12 350), the first first.' },
    ),
    problems: Type.Array(problem, { description: 'What customs found wrong with what was filed last.' }),
    amendment_number: Type.Integer({ minimum: 0, description: 'How often it was amended.', examples: [0] }),
    purpose: nullable(
      Type.Enum(purposes, {
        description: 'What it was filed for the last time; null before the first.',
        examples: ['original'],
      }),
    ),
    filings: Type.Array(filing, { description: 'Everything that was filed, the first first.' }),
    submitted_at: nullable(Time('When it was last submitted.')),
    accepted_at: nullable(
      Time('Since when customs has an accepted one; it stays while a change is prepared or refused.'),
    ),
    cancelled_at: nullable(Time('When it was cancelled.')),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: Type.String({ description: 'Who made it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'Emanifest', description: 'What customs is told before a truck crosses the border.' },
)

export type Problem = Static<typeof problem>
export type ShipmentStatus = Static<typeof Emanifest>['shipment_statuses'][number]
export type Filing = Static<typeof filing> & { state: FilingState; purpose: Purpose }

/** What people enter. */
export type Content = {
  stop_id: string | null
  carrier_code: string | null
  trip_number: string | null
  port: string | null
  crossing_at: string | null
  is_empty: boolean
  driver: Driver | null
  tractor: Tractor | null
  trailers: Trailer[]
  shipments: Shipment[]
}

export type Emanifest = Omit<Static<typeof Emanifest>, keyof Content | 'border' | 'state' | 'filings' | 'purpose'> &
  Content & { border: Border; state: State; filings: Filing[]; purpose: Purpose | null }

export const NewEmanifest = Type.Object(
  {
    manifest_id: Id('The manifest that it is made from.'),
    border: Type.Enum(borders, {
      description: '`ace`: into the United States; `aci`: into Canada.',
      examples: ['ace'],
    }),
    stop_id: Type.Optional(
      nullable(Id('The stop at which the border is crossed; the border stop that fits where it is left out.')),
    ),
  },
  { examples: [{ manifest_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15', border: 'ace' }] },
)
export type NewEmanifest = { manifest_id: string; border: Border; stop_id?: string | null }

const edited = Type.Partial(Type.Object({ ...head, ...sentParts }), {
  examples: [{ port: '3004', crossing_at: '2099-11-18T15:30:00Z' }],
})
export const EmanifestEdit = wholeEdit(Emanifest, edited)
export const Amendment = edited
export type EmanifestEdit = Partial<
  Omit<Content, 'driver' | 'tractor' | 'trailers' | 'shipments'> & {
    driver: SentDriver | null
    tractor: SentTractor | null
    trailers: SentTrailer[]
    shipments: SentShipment[]
  }
>

export const EmanifestSearch = Type.Object({
  status_ids: Type.Optional(
    Type.Array(Type.Enum(states), {
      maxItems: 10,
      description: 'Keeps those in one of these states.',
      examples: [['rejected']],
    }),
  ),
  borders: Type.Optional(
    Type.Array(Type.Enum(borders), { maxItems: 2, description: 'Keeps those of these borders.', examples: [['ace']] }),
  ),
  manifest_ids: Type.Optional(
    Type.Array(Id('A manifest.'), {
      maxItems: 200,
      description: 'Keeps those of these manifests.',
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  ),
  trip_number: Type.Optional(
    Type.String({
      maxLength: 25,
      description: 'Keeps the one with this number, and cancelled ones.',
      examples: ['CSCDTRIP5521'],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type EmanifestSearch = Static<typeof EmanifestSearch>

const names = [
  'stop_id',
  'carrier_code',
  'trip_number',
  'port',
  'crossing_at',
  'is_empty',
  'driver',
  'tractor',
  'trailers',
  'shipments',
] as const

/** What was sent over what there is, each value in the form that it must have. */
export function edit(
  current: Content & { accepted_at: string | null },
  input: EmanifestEdit,
): { next: Content; previous: Partial<Content> } {
  const next = contentOf({
    ...Object.fromEntries(names.map((name) => [name, current[name]])),
    ...input,
  } as EmanifestEdit)
  const changed = names.filter((name) => JSON.stringify(sorted(next[name])) !== JSON.stringify(sorted(current[name])))
  const fixed = changed.find((name) => name === 'trip_number' || name === 'carrier_code')
  if (fixed && current.accepted_at !== null)
    throw conflict(
      'trip_number_fixed',
      `Customs knows this trip by its number, so "${fixed}" stays as it is. Cancel this e-manifest and make another.`,
    )
  return { next, previous: Object.fromEntries(changed.map((name) => [name, current[name]])) }
}

export function contentOf(input: EmanifestEdit): Content {
  const wrong: Detail[] = []
  const coded = (field: 'carrier_code' | 'trip_number' | 'port', pattern: RegExp, words: string): string | null => {
    const value = input[field]?.replace(/[\s-]/g, '').toUpperCase() || null
    if (value !== null && !pattern.test(value))
      wrong.push({ field, code: 'invalid', message: `"${field}" must be ${words}, not ${quote(input[field])}.` })
    return value
  }
  const crossing = input.crossing_at ? parseDate(input.crossing_at) : null
  const content = {
    stop_id: input.stop_id?.toLowerCase() ?? null,
    carrier_code: coded('carrier_code', /^[A-Z0-9]{2,4}$/, '2 to 4 letters and digits, such as CSCD'),
    trip_number: coded('trip_number', /^[A-Z0-9]{1,25}$/, 'at most 25 letters and digits, such as CSCDTRIP5521'),
    port: coded('port', /^\d{3,4}$/, 'a code of 3 or 4 digits, such as 3004'),
    crossing_at: crossing && toWire(crossing),
    is_empty: input.is_empty ?? false,
    driver: input.driver ? wholeDriver(input.driver) : null,
    tractor: input.tractor ? wholeTractor(input.tractor) : null,
    trailers: (input.trailers ?? []).map(wholeTrailer),
    shipments: (input.shipments ?? []).map(wholeShipment),
  }
  if (wrong.length > 0) throw invalidAll(wrong)
  return content
}

/** The database keeps the keys of JSON in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

export function requireState(
  { state }: Pick<Emanifest, 'state'>,
  allowed: readonly State[],
  what: string,
  hint = '',
): void {
  if (!allowed.includes(state)) throw wrongState(state, allowed, what, hint)
}

function wrongState(state: State, allowed: readonly State[], what: string, hint: string): Refusal {
  const message = `An e-manifest that is ${state} cannot be ${what}; it can while it is ${allowed.join(' or ')}.${hint && ` ${hint}`}`
  return conflict('wrong_state', message, [{ field: 'state', code: 'wrong_state', message, allowed }])
}
