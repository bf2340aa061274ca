import Type, { type Static } from 'typebox'
import { Address, mergeAddress } from '../billing/documents/model/address.ts'
import { invalid, quote } from '../core/refusal.ts'
import { Id, nullable, Text, Time, wholeEdit } from '../core/schema.ts'

const name = Text('What it is called.', 'Blue Ridge Freight Brokers', { maxLength: 200 })
const address = nullable(Address)
const home_currency_id = nullable(
  Type.String({
    maxLength: 3,
    description:
      'The currency in which it keeps its books, as a lower-case ISO 4217 code; null while none is chosen. Documents are converted to it when they are saved.',
    examples: ['usd'],
  }),
)
const time_zone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The time zone in which its days begin and end, by its name in the IANA database.',
  examples: ['America/New_York'],
})
const require_exchange_rate = Type.Boolean({
  description: 'Whether a document can be saved only where a rate from its currency to the home currency is known for its date.',
  examples: [false],
})

export const Organization = Type.Object(
  {
    id: Id('The organization.'),
    name,
    address,
    home_currency_id,
    time_zone,
    require_exchange_rate,
    revision: Type.Integer({ minimum: 1, description: 'Rises by one with every change; the number in the ETag.', examples: [1] }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'Organization', description: 'The organization of the access token: what it says of itself, and the rules that it chose.' },
)
export type Organization = Static<typeof Organization>

const editable = ['name', 'address', 'home_currency_id', 'time_zone', 'require_exchange_rate'] as const
export type Content = Pick<Organization, (typeof editable)[number]>

export const OrganizationEdit = wholeEdit(
  Organization,
  Type.Partial(Type.Object({ name, address, home_currency_id, time_zone, require_exchange_rate }), {
    examples: [{ home_currency_id: 'usd', time_zone: 'America/New_York' }],
  }),
)
export type OrganizationEdit = Static<typeof OrganizationEdit>

/** What of the input differs, or why it cannot be. */
export function edit(current: Organization, input: OrganizationEdit): { next: Content; previous: Partial<Content> } {
  const next: Content = {
    name: input.name === undefined ? current.name : normalName(input.name),
    address: input.address === undefined ? current.address : mergeAddress(current.address, input.address),
    home_currency_id: input.home_currency_id === undefined ? current.home_currency_id : (input.home_currency_id?.toLowerCase() ?? null),
    time_zone: input.time_zone === undefined ? current.time_zone : normalTimeZone(input.time_zone),
    require_exchange_rate: input.require_exchange_rate ?? current.require_exchange_rate,
  }
  if (next.require_exchange_rate && next.home_currency_id === null) throw homeCurrencyRequired()
  const changed = editable.filter((field) => JSON.stringify(next[field]) !== JSON.stringify(current[field]))
  return { next, previous: Object.fromEntries(changed.map((field) => [field, current[field]])) }
}

export function unknownTimeZone(sent: string) {
  return invalid(
    'time_zone',
    'unknown_time_zone',
    `"time_zone": ${quote(sent)} is not the name of a time zone in the IANA database, such as "America/New_York".`,
  )
}

function homeCurrencyRequired() {
  const message = 'Exchange rates can be required only where there is a home currency; set "home_currency_id", or "require_exchange_rate" to false.'
  return invalid('require_exchange_rate', 'home_currency_required', message)
}

function normalName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw invalid('name', 'bad_name', 'The name of an organization has 1 to 200 characters.')
  return name
}

/** By its name only: PostgreSQL reads an offset such as +05:00 with the opposite sign. */
function normalTimeZone(sent: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(sent)) throw unknownTimeZone(sent)
  try {
    return new Intl.DateTimeFormat('en', { timeZone: sent }).resolvedOptions().timeZone
  } catch {
    throw unknownTimeZone(sent)
  }
}
