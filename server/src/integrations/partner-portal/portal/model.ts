import Type, { type Static } from 'typebox'
import { Amount } from '../../../books/documents/model/fields/amount.ts'
import { freightProperties } from '../../../freight/loads/schema.ts'
import { named } from '../../../platform/core/schema/names.ts'
import { changedBetween, Day, Id, nullable, paging, Text, Time } from '../../../platform/core/schema/schema.ts'
import { stopKinds } from '../../../records/kinds/stops.ts'
import { rateOf, state as tenderState, tenderStates } from '../tenders/model.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const maybe = (description: string, example: string) => nullable(text(description, example))
const currency = nullable(text('The lower-case ISO 4217 code.', 'usd'))

const address = nullable(
  named(
    'PortalAddress',
    Type.Object(
      Object.fromEntries(
        Object.entries({
          company_name: 'Acme Foods',
          contact_name: 'Jo Lind',
          address_1: '88 Alaskan Way',
          address_2: 'Dock 4',
          city: 'Seattle',
          state: 'WA',
          postal: '98101',
          country: 'US',
        }).map(([name, example]) => [name, maybe('A part of the address.', example)]),
      ),
      {
        description:
          'Where it is. Before the carrier has the freight: no more than city, state, postal code and country.',
      },
    ),
  ),
)

const lane = {
  full_id: text('The id that people read.', 'MAN-12'),
  reference_number: maybe('The number of the trip, once the carrier has it.', 'TRIP-5521'),
  start: address,
  end: address,
  ...freightProperties,
}

export const PortalManifest = Type.Object(
  {
    id: Id('The manifest.'),
    ...lane,
    status: text('Where it stands.', 'dispatched'),
    relation: Type.Enum(['assigned', 'tendered'], {
      description: 'Whether it is the carrier’s, or offered to it.',
      examples: ['assigned'],
    }),
    driver_name: maybe('The driver.', 'Sam Ortiz'),
    driver_phone: maybe('The phone of the driver.', '+1 206 555 0199'),
    stops: Type.Array(
      Type.Object({
        id: Id('The stop.'),
        sequence: nullable(Type.Integer({ description: 'Its place on the way.', examples: [1] })),
        kind: Type.Enum(stopKinds, { description: 'What happens there.', examples: ['pickup'] }),
        address,
        time_zone: text('The time zone of its place, in which people read its times.', 'America/Los_Angeles'),
        window_start: maybe('From when it can be served.', '2026-11-16T08:00:00Z'),
        window_end: maybe('Until when it is expected.', '2026-11-16T12:00:00Z'),
        arrived_at: maybe('When the vehicle arrived.', '2026-11-16T08:20:00Z'),
        departed_at: maybe('When the vehicle departed.', '2026-11-16T09:35:00Z'),
        reference_numbers: Type.Array(Type.String(), {
          description: 'Numbers to name at the gate.',
          examples: [['PO-77120']],
        }),
        undo_until: maybe(
          'Until when the carrier can take back its last report of the stop; null where it cannot, also while a later stop is departed from.',
          '2026-11-16T09:45:00Z',
        ),
      }),
      { description: 'The stops, in order.' },
    ),
    created_at: Time('When it was made.'),
  },
  { $id: 'PortalManifest', description: 'A manifest as a carrier sees it.' },
)

export const PortalTender = Type.Object(
  {
    id: Id('The tender.'),
    manifest_id: Id('The manifest that is offered.'),
    state: tenderState,
    currency_id: currency,
    rate: nullable(rateOf('What is offered; null where the carrier is asked for a rate.')),
    counter_rate: nullable(rateOf('What the carrier asks for instead.')),
    agreed_rate: nullable(rateOf('What was agreed.')),
    message: maybe('What the carrier should know.', 'Reefer at 2 °C, no team needed.'),
    answer: maybe('What the carrier said to it.', 'Can load from 14:00.'),
    expires_at: Time('Until when it can be answered.'),
    answered_at: nullable(Time('When it was last answered.')),
    manifest: nullable(
      Type.Object(lane, {
        description:
          'The freight: from where to where, when, how far and what; while it is offered and where it was accepted.',
      }),
    ),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'PortalTender', description: 'A tender as a carrier sees it.' },
)

export const billStates = ['in_review', 'approved', 'rejected', 'paid'] as const

export const PortalBill = Type.Object(
  {
    id: Id('The bill.'),
    number: maybe('The number that people read.', 'BILL-000123'),
    reference_number: maybe('The carrier’s own number.', 'INV-20417'),
    state: Type.Enum(billStates, { description: 'Where it stands.', examples: ['approved'] }),
    bill_date: nullable(Time('Its date.')),
    due_date: nullable(Time('When it is due.')),
    expected_pay_date: nullable(
      Day(
        'When it is expected to be paid: the day of an approved payment run, else the day on which it is due; null while it is not approved.',
      ),
    ),
    paid_at: nullable(Time('When it was paid.')),
    currency_id: currency,
    sub_total_amount: Amount('Before tax.', 185000),
    tax_amount: Amount('The tax.', 0),
    total_amount: Amount('What it comes to.', 185000),
    amount_paid: Amount('What was paid of it.', 0),
    amount_due: Amount('What is left.', 185000),
    lines: Type.Array(
      Type.Object({
        description: maybe('What for.', 'Line haul, Portland to Boise'),
        quantity: Type.Integer({ description: 'How many.', examples: [1] }),
        unit_price: Amount('The price of one.', 185000),
        total_amount: Amount('What the line comes to.', 185000),
      }),
      { description: 'What it is for.' },
    ),
    created_at: Time('When it was made.'),
  },
  { $id: 'PortalBill', description: 'A bill as its carrier sees it.' },
)

export const PortalThread = Type.Object(
  {
    id: Id('The thread.'),
    bill_id: Id('The bill.'),
    state: Type.Enum(['open', 'answered', 'closed'], {
      description: '`open` waits for an answer.',
      examples: ['open'],
    }),
    messages: Type.Array(
      Type.Object({
        side: Type.Enum(['partner', 'organization'], { description: 'Who said it.', examples: ['partner'] }),
        author_name: text('What the author is called: of the other side the organization.', 'Lee Park'),
        text: text('What was said.', 'Detention of 2 hours is missing. Why?'),
        created_at: Time('When.'),
      }),
      { description: 'All that was said, the first first.' },
    ),
  },
  { $id: 'PortalThread', description: 'What a carrier asks about a bill, and what was answered.' },
)

export const PortalDocument = Type.Object(
  {
    id: Id('The document.'),
    file_name: text('What the file is called.', 'pod-4711.jpg'),
    media_type: text('The type of its content.', 'image/jpeg'),
    size: Type.Integer({ minimum: 1, description: 'How many bytes it has.', examples: [48213] }),
    document_type: text('What it is.', 'pod'),
    created_at: Time('When it was sent.'),
  },
  { $id: 'PortalDocument', description: 'A document that the carrier has sent.' },
)

export const invoiceStates = ['received', 'in_review', 'approved', 'rejected', 'billed'] as const

export const PortalInvoice = Type.Object(
  {
    id: Id('The invoice.'),
    invoice_number: text('The number that the carrier gave it.', 'INV-20417'),
    invoice_date: nullable(Day('Its date.')),
    reference_number: maybe('The number of the load, once the tender is accepted.', 'TRIP-5521'),
    currency_id: text('The lower-case ISO 4217 code.', 'usd'),
    total_amount: Amount('What it comes to.', 185000),
    state: Type.Enum(invoiceStates, { description: 'Where it stands.', examples: ['received'] }),
    approved_amount: nullable(Amount('What of it is paid.', 185000)),
    bill_id: nullable(Id('The bill that was made of it.')),
    documents: Type.Array(Type.Ref('PortalDocument'), { description: 'What was sent with it through the portal.' }),
    created_at: Time('When it came.'),
  },
  { $id: 'PortalInvoice', description: 'An invoice of the carrier, as it sees it.' },
)

export const NewPortalInvoice = Type.Object(
  {
    invoice_number: Text('The number of the invoice.', 'INV-20417'),
    invoice_date: Type.Optional(nullable(Day('Its date.'))),
    currency_id: Type.String({
      minLength: 3,
      maxLength: 3,
      description: 'The lower-case ISO 4217 code.',
      examples: ['usd'],
    }),
    total_amount: Amount('What it comes to.', 185000),
    reference_number: Type.Optional(nullable(Text('The number of the load, where it is known.', 'TRIP-5521'))),
    manifest_id: Type.Optional(nullable(Id('The manifest that it is for, which is the carrier’s.'))),
  },
  { examples: [{ invoice_number: 'INV-20417', invoice_date: '2026-11-15', currency_id: 'usd', total_amount: 185000 }] },
)
export type NewPortalInvoice = Static<typeof NewPortalInvoice>

const statesOf = (values: readonly string[], description: string) =>
  Type.Optional(Type.Array(Type.Enum([...values]), { maxItems: 20, description, examples: [[values[0] as string]] }))

export const ManifestPage = Type.Object({
  status_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: 20,
      description: 'Keeps those with these statuses.',
      examples: [['dispatched']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export const TenderPage = Type.Object({
  status_ids: statesOf(tenderStates, 'Keeps those in these states.'),
  ...changedBetween,
  ...paging,
})
export const BillPage = Type.Object({
  status_ids: statesOf(billStates, 'Keeps those in these states.'),
  ...changedBetween,
  ...paging,
})
export const InvoicePage = Type.Object({
  status_ids: statesOf(invoiceStates, 'Keeps those in these states.'),
  ...changedBetween,
  ...paging,
})
