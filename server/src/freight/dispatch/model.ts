import Type, { type Static } from 'typebox'
import { Id, Moment, nullable, paging, Text, Time } from '../../platform/core/schema/schema.ts'
import { expectedProperties } from '../arrival-times/expected-schema.ts'
import { BorderCrossings } from '../crossings/schema.ts'
import { PlanningFindings } from '../loads/schema.ts'

const at = (description: string) => Moment(`${description} A bare date means the whole day.`)
const ids = (description: string) =>
  Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: 500,
    description,
    examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
  })
const texts = (description: string, example: string) =>
  Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100, description, examples: [[example]] })
const words = Type.String({
  maxLength: 1000,
  description: 'Words, each of which must begin a word in any of the text fields.',
  examples: ['oak casc'],
})

export const ManifestQuery = Type.Object({
  ids: Type.Optional(ids('Keeps these, in whatever state they are.')),
  status_ids: Type.Optional(
    texts(
      'Keeps those in one of these states; those that are not over unless this or `ids` says something else.',
      'planned',
    ),
  ),
  partner_carrier_ids: Type.Optional(ids('Keeps those of these carriers.')),
  equipment_ids: Type.Optional(ids('Keeps those with one of these units of equipment.')),
  driver: Type.Optional(
    Type.String({ maxLength: 255, description: 'Keeps those whose driver has this in the name.', examples: ['ortiz'] }),
  ),
  from: Type.Optional(at('Keeps those that do not end before.')),
  to: Type.Optional(at('Keeps those that do not begin after.')),
  q: Type.Optional(words),
  ...paging,
})
export type ManifestQuery = Static<typeof ManifestQuery>

export const OrderQuery = Type.Object({
  customer_ids: Type.Optional(ids('Keeps those of these customers.')),
  equipment_type: Type.Optional(texts('Keeps those that need one of these types of equipment.', 'reefer')),
  from: Type.Optional(at('Keeps those that are not to be picked up before.')),
  to: Type.Optional(at('Keeps those that are not to be picked up after.')),
  q: Type.Optional(words),
  ...paging,
})
export type OrderQuery = Static<typeof OrderQuery>

const fullId = (example: string) => Text('The id that people read.', example)
const optionalText = (description: string, example: string) =>
  nullable(Type.String({ description, examples: [example] }))
const party = (description: string, example: string, name: string) =>
  nullable(Type.Object({ id: Id('Its id.'), full_id: fullId(example), name: Text('Its name.', name) }, { description }))

export const DispatchManifest = Type.Object(
  {
    id: Id('The manifest.'),
    full_id: fullId('MAN-12'),
    reference_number: optionalText('The number of the trip.', 'TRIP-5521'),
    status: Text('Its state.', 'in_transit'),
    revision: Type.Integer({ description: 'Its revision, for `If-Match`.', examples: [3] }),
    moves: Type.Array(Type.String(), {
      description: 'The states to which it can be moved now, with `POST /dispatch/manifests/{manifestID}/move`.',
      examples: [['planned', 'in_transit', 'cancelled']],
    }),
    partner_carrier: party('Who drives it.', 'PART-3', 'Cascade Carriers'),
    driver_name: optionalText('The driver.', 'Sam Ortiz'),
    driver_phone: optionalText('The driver’s phone.', '+1 206 555 0199'),
    driver_key: optionalText(
      'What tells the driver from others, as double bookings do: the carrier, and the phone or else the name.',
      'own sam ortiz',
    ),
    equipment: nullable(
      Type.Object(
        {
          id: Id('Its id.'),
          full_id: fullId('EQP-4'),
          name: Text('Its unit number.', 'T-104'),
          equipment_type: optionalText('Its type.', 'reefer'),
        },
        { description: 'What drives.' },
      ),
    ),
    starts_at: nullable(Time('From when it takes its driver and equipment; null where that is not known.')),
    ends_at: nullable(Time('Until when.')),
    orders: Type.Array(
      Type.Object({
        id: Id('The order.'),
        full_id: fullId('ORD-12'),
        reference_number: optionalText('The number that the customer knows it by.', 'PO-77120'),
        status: Text('Its state.', 'planned'),
        customer_name: optionalText('The customer.', 'Acme Foods'),
      }),
      { description: 'The orders that it carries.' },
    ),
    ...expectedProperties,
    border_crossings: BorderCrossings,
    planning_findings: PlanningFindings,
  },
  {
    $id: 'DispatchManifest',
    description:
      'A manifest as a dispatcher sees it: who drives what where, when it is expected, and what can be done with it.',
  },
)

const address = (description: string) =>
  nullable(Type.Object({}, { additionalProperties: true, description, examples: [{ city: 'Oakland', state: 'CA' }] }))

export const OrderToPlan = Type.Object(
  {
    id: Id('The order.'),
    full_id: fullId('ORD-12'),
    reference_number: optionalText('The number that the customer knows it by.', 'PO-77120'),
    status: Text('Its state.', 'active'),
    customer: party('Whom it is for.', 'CUST-1', 'Acme Foods'),
    pickup: address('Where it is picked up.'),
    pickup_at: nullable(Time('From when.')),
    pickup_by: nullable(Time('Until when.')),
    pickup_time_zone: Text(
      'The time zone of the first pickup: that of its stop, or of the address, or of the organization.',
      'America/Los_Angeles',
    ),
    delivery: address('Where it is delivered.'),
    deliver_at: nullable(Time('From when.')),
    deliver_by: nullable(Time('Until when.')),
    delivery_time_zone: Text('The same of the last delivery.', 'America/Chicago'),
    stops: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'Its stops, if it has more than one pickup and one delivery.',
    }),
    commodity: optionalText('What it is.', 'Frozen vegetables'),
    pieces: nullable(Type.Integer({ description: 'How many.', examples: [22] })),
    weight: nullable(Type.Number({ description: 'Its weight.', examples: [18400] })),
    weight_unit: optionalText('In which unit.', 'kg'),
    equipment_type: optionalText('What it needs.', 'reefer'),
    temperature: nullable(Type.Number({ description: 'In degrees Celsius.', examples: [-18] })),
    hazardous: nullable(Type.Boolean({ description: 'Whether it is hazardous.', examples: [false] })),
  },
  { $id: 'OrderToPlan', description: 'An order that no manifest carries yet.' },
)

export const mostOrders = 200

export const orderIds = Type.Array(Id('An order.'), { minItems: 1, maxItems: mostOrders, description: 'The orders.' })

/** What a manifest can be planned with, besides its orders. */
export const NewPlan = Type.Object(
  {
    order_ids: orderIds,
    external_id: Type.Optional(nullable(Text('Its id in another system, unique among manifests.', 'TRIP-5530'))),
    reference_number: Type.Optional(nullable(Text('The number of the trip.', 'TRIP-5530'))),
    partner_carrier_id: Type.Optional(nullable(Id('Who drives it.'))),
    driver_name: Type.Optional(nullable(Text('The driver.', 'Sam Ortiz'))),
    driver_phone: Type.Optional(nullable(Text('The driver’s phone.', '+1 206 555 0199'))),
    equipment_id: Type.Optional(nullable(Id('What drives.'))),
    currency_id: Type.Optional(nullable(Text('What the carrier is paid in.', 'usd'))),
    notes: Type.Optional(nullable(Text('Notes.', 'Two drivers', { maxLength: 5000 }))),
  },
  { examples: [{ order_ids: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'], driver_name: 'Sam Ortiz' }] },
)
export type NewPlan = Static<typeof NewPlan>
