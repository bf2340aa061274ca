import Type, { type Static } from 'typebox'
import { normalTimeZone } from '../../platform/core/places/time-zones.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { Id, nullable, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'
import { duplicatePolicies } from '../bills/duplicates/model.ts'
import { Address, mergeAddress } from '../documents/model/fields/address.ts'

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
const default_pay_term_id = nullable(
  Id(
    'The pay term that a bill gets when it is saved with neither a due date nor a pay term, such as one of a carrier that has none; null while none is chosen.',
  ),
)
const approvals = Type.Enum(['off', 'on'], {
  description:
    'With `on` bills have to be approved before they are paid: those that a rule of `/approval_rules` is about, and any other that comes to more than `approval_limit_amount`.',
  examples: ['off'],
})
const approval_limit_amount = nullable(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'A bill up to this amount of the home currency, in minor units, needs no approval unless a rule is about it; null where every bill does.',
    examples: [null],
  }),
)
const forbid_self_approval = Type.Boolean({
  description:
    'Whether nobody may approve a bill or a carrier invoice that they entered or changed. Who entered a carrier invoice has entered its bill, and who made an application or its secret what that application entered.',
  examples: [false],
})
const separate_payer = Type.Boolean({
  description: 'Whether nobody may pay a bill that they entered or approved.',
  examples: [false],
})
const approval_reminder_days = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 365,
    description:
      'After how many days of waiting for approval a bill has an event `bill.approval_reminder`, and again after each such time; null for never.',
    examples: [3],
  }),
)

const new_approver_days = Type.Integer({
  minimum: 0,
  maximum: 30,
  description:
    'For so many days who joins, or gets a role that approves, approves no change of a payee and no payment run; and for as long after a colleague was shut out, nobody approves as the only user. A smaller number counts when as many days have passed as it was before, unless there is a single user; all admins are told of a change.',
  examples: [3],
})

/** The rules that an organization chose. One more is a line here, and a column with a default. */
const policies = {
  require_exchange_rate: Type.Boolean({
    description:
      'Whether a document can be saved only where a rate from its currency to the home currency is known for its date.',
    examples: [false],
  }),
  require_send_address: Type.Boolean({
    description:
      'Whether a document can be sent only where there is an address to mail it to: in `to`, or in its `send_to_email`.',
    examples: [false],
  }),
  duplicates: Type.Enum(duplicatePolicies, {
    description:
      'What happens to a bill whose carrier and number another bill has: `off` nothing, `warn` the answer names the other bills, `refuse` it is a 409 unless it says `allow_duplicate`.',
    examples: ['warn'],
  }),
  approvals,
  approval_limit_amount,
  forbid_self_approval,
  separate_payer,
  approval_reminder_days,
  new_approver_days,
  eta_detour_factor: Type.Number({
    minimum: 1,
    maximum: 5,
    description: 'How much longer the way on the road is than the straight one, where no routing service says it.',
    examples: [1.25],
  }),
  eta_average_speed_kmh: Type.Number({
    minimum: 1,
    maximum: 200,
    description: 'How fast vehicles go on average, in kilometres an hour, where no routing service says it.',
    examples: [70],
  }),
  eta_delay_limit_minutes: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    description:
      'A manifest that is expected at a stop more than so many minutes after the end of its window has an event `manifest.delayed`.',
    examples: [30],
  }),
  double_booking: Type.Enum(['off', 'refuse'], {
    description:
      'With `refuse` a manifest is refused with 409 `double_booked` whose equipment or driver has another one at the same time that is neither completed nor cancelled.',
    examples: ['off'],
  }),
}
export const policyNames = Object.keys(policies) as (keyof typeof policies)[]

export const Organization = Type.Object(
  {
    id: Id('The organization.'),
    name,
    address,
    home_currency_id,
    time_zone,
    default_pay_term_id,
    ...policies,
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
    has_logo: Type.Boolean({
      description: 'Whether it has a picture for its papers, which `GET /organization/logo` answers.',
      examples: [false],
    }),
  },
  {
    $id: 'Organization',
    description: 'The organization of the access token: what it says of itself, and the rules that it chose.',
  },
)
export type Organization = Static<typeof Organization>

const editable = ['name', 'address', 'home_currency_id', 'time_zone', 'default_pay_term_id', ...policyNames] as const
export type Content = Pick<Organization, (typeof editable)[number]>

export const OrganizationEdit = wholeEdit(
  Organization,
  Type.Partial(Type.Object({ name, address, home_currency_id, time_zone, default_pay_term_id, ...policies }), {
    examples: [{ home_currency_id: 'usd', time_zone: 'America/New_York' }],
  }),
)
export type OrganizationEdit = Static<typeof OrganizationEdit>

/** What of the input differs, or why it cannot be. */
export function edit(current: Organization, input: OrganizationEdit): { next: Content; previous: Partial<Content> } {
  const chosen = Object.fromEntries(
    policyNames.map((policy) => [policy, input[policy] === undefined ? current[policy] : input[policy]]),
  ) as Pick<Content, (typeof policyNames)[number]>
  const next: Content = {
    name: input.name === undefined ? current.name : normalName(input.name),
    address: input.address === undefined ? current.address : mergeAddress(current.address, input.address),
    home_currency_id:
      input.home_currency_id === undefined ? current.home_currency_id : (input.home_currency_id?.toLowerCase() ?? null),
    time_zone: input.time_zone === undefined ? current.time_zone : requireTimeZone(input.time_zone),
    default_pay_term_id:
      input.default_pay_term_id === undefined
        ? current.default_pay_term_id
        : (input.default_pay_term_id?.toLowerCase() ?? null),
    ...chosen,
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
  const message =
    'Exchange rates can be required only where there is a home currency; set "home_currency_id", or "require_exchange_rate" to false.'
  return invalid('require_exchange_rate', 'home_currency_required', message)
}

function normalName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw invalid('name', 'bad_name', 'The name of an organization has 1 to 200 characters.')
  return name
}

function requireTimeZone(sent: string): string {
  const name = normalTimeZone(sent)
  if (name === null) throw unknownTimeZone(sent)
  return name
}
