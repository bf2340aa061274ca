import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { Day, Id, nullable } from '../../../platform/core/schema/schema.ts'
import { documentTypes, inBondTypes, shipmentTypes, trailerKinds, units, weightUnits } from './codes.ts'

/** Texts are as long as the elements of an interchange that they go into. */
const text = (description: string, example: string, maxLength = 60) =>
  nullable(Type.String({ minLength: 1, maxLength, description, examples: [example] }))
const country = (description: string) => text(`${description} Two letters (ISO 3166).`, 'CA', 2)
const state = (description: string) => text(`${description} Two letters.`, 'ON', 2)

const list = <T extends TSchema>(item: T, maxItems: number, description: string) =>
  Type.Array(item, { maxItems, description })

/** A part of an e-manifest: whole when it is read, with any of its fields when it is sent. */
type Part = <P extends TProperties>(name: string, fields: P, description: string) => TObject<P>
const whole: Part = (name, fields, description) => named(`Emanifest${name}`, Type.Object(fields, { description }))
const sent = ((name: string, fields: TProperties, description: string) =>
  named(`SentEmanifest${name}`, Type.Partial(Type.Object(fields), { description }))) as unknown as Part

const plate = {
  plate: text('What its licence plate says.', 'PA12345', 15),
  plate_state: state('The state or province of the plate.'),
  plate_country: country('The country of the plate.'),
}

function partsOf(part: Part) {
  const party = (role: string, description: string, name: string) =>
    nullable(
      part(
        role,
        {
          name: text('Its name.', name),
          address_1: text('The street.', '1200 Rue Notre-Dame', 55),
          address_2: text('More of the street.', 'Dock 4', 55),
          city: text('The city.', 'Montreal', 30),
          state: state('The state or province.'),
          postal: text('The postal code.', 'H3C 1J5', 15),
          country: country('The country.'),
        },
        description,
      ),
    )
  const document = part(
    'Credential',
    {
      type: nullable(Type.Enum(documentTypes, { description: 'What it is.', examples: ['passport'] })),
      number: text('Its number.', 'GA302922', 30),
      country: country('Who issued it.'),
      state: state('The state or province that issued a licence.'),
    },
    'A document by which the driver is known.',
  )
  const commodity = part(
    'Commodity',
    {
      description: text('What it is, in words that an officer understands.', 'Frozen vegetables', 45),
      quantity: nullable(
        Type.Integer({
          minimum: 1,
          maximum: 99_999_999,
          description: 'How many of the smallest packages.',
          examples: [22],
        }),
      ),
      unit: nullable(Type.Enum(units, { description: 'What they are packed in.', examples: ['PLT'] })),
      weight: nullable(
        Type.Number({ exclusiveMinimum: 0, maximum: 9_999_999, description: 'The gross weight.', examples: [18400] }),
      ),
      weight_unit: nullable(
        Type.Enum(Object.keys(weightUnits) as (keyof typeof weightUnits)[], {
          description: 'In which unit.',
          examples: ['kg'],
        }),
      ),
      value: nullable(
        Type.Integer({
          minimum: 0,
          maximum: 99_999_999,
          description: 'What it is worth, in whole units of its currency.',
          examples: [24500],
        }),
      ),
      currency_id: text(
        'The currency of the value, as a lower-case ISO 4217 code; where it is null the dollar of the country it comes into.',
        'usd',
        3,
      ),
      country_of_origin: country('Where it was made.'),
      hs_code: text('Its code in the harmonized system.', '071080', 10),
      hazardous_code: text('Its UN number, where it is hazardous.', 'UN1845', 6),
    },
    'What is in a shipment.',
  )
  return {
    driver: nullable(
      part(
        'Driver',
        {
          first_name: text('The given name.', 'Sam', 35),
          last_name: text('The family name.', 'Ortiz'),
          date_of_birth: nullable(Day('The day of birth.', '1984-03-11')),
          gender: nullable(Type.Enum(['M', 'F', 'X'], { description: 'As the document says.', examples: ['M'] })),
          citizenship: country('The citizenship.'),
          phone: text('The phone. It is for people here; an interchange has no place for it.', '+1 206 555 0199', 30),
          documents: list(document, 5, 'The documents by which the driver is known; one at least.'),
        },
        'Who drives. Sent, it replaces the one before as a whole.',
      ),
    ),
    tractor: nullable(
      part(
        'Tractor',
        {
          number: text('What is painted on it.', 'T-104', 15),
          vin: text('Its vehicle identification number.', '1XKWDB0X57J211825', 17),
          ...plate,
        },
        'The truck. Sent, it replaces the one before as a whole.',
      ),
    ),
    trailers: list(
      part(
        'Trailer',
        {
          number: text('What is painted on it.', 'R-2210', 15),
          kind: nullable(Type.Enum(trailerKinds, { description: 'What it is.', examples: ['reefer'] })),
          ...plate,
          seals: list(
            Type.String({ minLength: 2, maxLength: 15, description: 'A number.', examples: ['889122'] }),
            4,
            'The numbers of its seals.',
          ),
        },
        'A trailer, container or chassis.',
      ),
      10,
      'What the truck pulls. Sent, they replace those before.',
    ),
    shipments: list(
      part(
        'Shipment',
        {
          order_id: nullable(Id('The order that it was made from.')),
          control_number: text(
            'The number that customs knows it by (SCN, CCN): the carrier’s code and the number of its PAPS or PARS sticker.',
            'CSCD0099321',
            25,
          ),
          type: nullable(
            Type.Enum(shipmentTypes, {
              description:
                'How it is cleared: into the United States `paps`, `brass`, `section_321`, `in_bond`; into Canada `pars`, `csa`, `low_value`, `in_bond`.',
              examples: ['paps'],
            }),
          ),
          trailer: text('The number of the trailer that it is in; of the first one where it says none.', 'R-2210', 15),
          in_bond_type: nullable(
            Type.Enum(inBondTypes, { description: 'Of a shipment in bond: the kind of entry.', examples: ['61'] }),
          ),
          in_bond_number: text('Of a shipment in bond: its number.', 'V12345678', 15),
          destination_port: text('Of a shipment in bond: the port where it goes.', '3901', 4),
          foreign_destination_port: text(
            'Of a shipment in bond that leaves the country again (`62`, `63`): the place where it goes then, by its Schedule K code.',
            '12345',
            30,
          ),
          loading_port: text(
            'Where it was loaded, as a code: into the United States the Schedule K code of the place.',
            '12345',
            30,
          ),
          shipper: party('Shipper', 'Who sends it.', 'Legumes du Nord'),
          consignee: party('Consignee', 'Who receives it.', 'Northside Grocers'),
          broker: party('Broker', 'Who clears it; the name is enough.', 'Border Brokers Inc.'),
          commodities: list(commodity, 99, 'What is in it; one at least.'),
        },
        'A shipment.',
      ),
      200,
      'What is on the truck. Sent, they replace those before.',
    ),
  }
}

export const readParts = partsOf(whole)
export const sentParts = partsOf(sent)

export type Driver = NonNullable<Static<typeof readParts.driver>>
export type Tractor = NonNullable<Static<typeof readParts.tractor>>
export type Trailer = Static<typeof readParts.trailers>[number]
export type Shipment = Static<typeof readParts.shipments>[number]
export type Party = NonNullable<Shipment['shipper']>
export type Commodity = Shipment['commodities'][number]

type Some<T> = T extends readonly (infer I)[] ? Some<I>[] : T extends object ? { [K in keyof T]?: Some<T[K]> } : T
export type SentDriver = Some<Driver>
export type SentTractor = Some<Tractor>
export type SentTrailer = Some<Trailer>
export type SentShipment = Some<Shipment>

/** What was sent, with null where nothing was, so that it is read back in one form. */
export function wholeDriver(driver: SentDriver): Driver {
  const documents = (driver.documents ?? []).map((document) => filled(['type', 'number', 'country', 'state'], document))
  return {
    ...filled(['first_name', 'last_name', 'date_of_birth', 'gender', 'citizenship', 'phone'], driver),
    documents,
  } as Driver
}

const plateFields = ['plate', 'plate_state', 'plate_country']

export function wholeTractor(tractor: SentTractor): Tractor {
  return filled(['number', 'vin', ...plateFields], tractor) as Tractor
}

export function wholeTrailer(trailer: SentTrailer): Trailer {
  return { ...filled(['number', 'kind', ...plateFields], trailer), seals: trailer.seals ?? [] } as Trailer
}

export function wholeShipment(shipment: SentShipment): Shipment {
  const names = [
    ...['order_id', 'control_number', 'type', 'trailer', 'in_bond_type', 'in_bond_number', 'destination_port'],
    ...['foreign_destination_port', 'loading_port'],
  ]
  const { shipper, consignee, broker, commodities = [] } = shipment
  return {
    ...filled(names, shipment),
    ...{ shipper: wholeParty(shipper), consignee: wholeParty(consignee), broker: wholeParty(broker) },
    commodities: commodities.map((commodity) =>
      filled(
        [
          'description',
          'quantity',
          'unit',
          'weight',
          'weight_unit',
          'value',
          'currency_id',
          'country_of_origin',
          'hs_code',
          'hazardous_code',
        ],
        commodity,
      ),
    ),
  } as Shipment
}

function wholeParty(party: Some<Party> | null | undefined): Party | null {
  return party
    ? (filled(['name', 'address_1', 'address_2', 'city', 'state', 'postal', 'country'], party) as Party)
    : null
}

/** Codes are in capitals; ids, and those of currencies, in small letters. */
const inCapitals = new Set([
  'control_number',
  'plate',
  'plate_state',
  'plate_country',
  'vin',
  'state',
  'country',
  'citizenship',
  'country_of_origin',
  'hazardous_code',
  'loading_port',
  'foreign_destination_port',
])

const inSmallLetters = new Set(['currency_id', 'order_id'])

function filled(names: readonly string[], from: object): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, written(name, (from as Record<string, unknown>)[name] ?? null)]))
}

function written(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  return inCapitals.has(name) ? text.toUpperCase() : inSmallLetters.has(name) ? text.toLowerCase() : text
}
