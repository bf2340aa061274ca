import { clean } from '../../../platform/x12/write.ts'
import { type Border, countriesWithStates, customs, mostVehicles } from './codes.ts'
import type { Content } from './model.ts'
import type { Driver, Party, Shipment } from './parts.ts'

/** What keeps an e-manifest from being filed. `field` is its place, such as `shipments.0.control_number`. */
export type FilingObstacle = { field: string; code: 'missing' | 'wrong'; message: string }

type Checked = Content & { border: Border; accepted_at: string | null }
type Note = (field: string, message: string, code?: FilingObstacle['code']) => void

/** Everything that customs asks for and that is not there, or not in the form that it has to have. */
export function findMissing(emanifest: Checked, now: Date): FilingObstacle[] {
  const found: FilingObstacle[] = []
  const note: Note = (field, message, code = 'missing') => void found.push({ field, code, message })
  checkTrip(emanifest, now, note)
  checkDriver(emanifest.driver, emanifest.border, note)
  checkVehicles(emanifest, note)
  checkShipments(emanifest, note)
  return found
}

function checkTrip(
  { border, carrier_code, trip_number, port, crossing_at, accepted_at }: Checked,
  now: Date,
  note: Note,
): void {
  const { longestTrip, portDigits, portWords } = customs[border]
  if (!carrier_code)
    note(
      'carrier_code',
      'The code of the carrier with customs is missing: its SCAC, or the code that the CBSA gave it.',
    )
  if (!trip_number) note('trip_number', 'The number of the trip is missing.')
  else checkNumber('trip_number', 'The number of the trip', trip_number, carrier_code, longestTrip, note)
  if (!port) note('port', `Where it crosses is missing: ${portWords}.`)
  else if (!portDigits.test(port)) note('port', `The port must be ${portWords}.`, 'wrong')
  if (!crossing_at) note('crossing_at', 'When it crosses is missing.')
  else if (accepted_at === null && Date.parse(crossing_at) <= now.getTime())
    note('crossing_at', 'The time of the crossing is past: customs has to know before.', 'wrong')
}

function checkNumber(
  field: string,
  what: string,
  number: string,
  carrier: string | null,
  longest: number,
  note: Note,
): void {
  if (carrier && !number.startsWith(carrier))
    note(field, `${what} begins with the code of the carrier, ${carrier}.`, 'wrong')
  else if (!/^[A-Z0-9]+$/.test(number) || number.length < 5 || number.length > longest)
    note(field, `${what} has 5 to ${longest} letters and digits.`, 'wrong')
}

function checkDriver(driver: Driver | null, border: Border, note: Note): void {
  if (!driver) {
    note('driver', 'The driver is missing.')
    return
  }
  need(note, 'driver', driver, {
    first_name: 'The given name of the driver is missing.',
    last_name: 'The family name of the driver is missing.',
    date_of_birth: 'The day of birth of the driver is missing.',
    citizenship: 'The citizenship of the driver is missing.',
    ...(border === 'ace' && { gender: 'The gender of the driver is missing, as the document says it.' }),
  })
  checkCountry(note, 'driver.citizenship', driver.citizenship)
  if (driver.documents.length === 0)
    note('driver.documents', 'A document of the driver is missing, such as the passport or a FAST card.')
  driver.documents.forEach((document, index) => {
    const at = `driver.documents.${index}`
    need(note, at, document, {
      type: 'What document it is is missing.',
      number: 'The number of the document is missing.',
      country: 'Who issued the document is missing.',
    })
    checkCountry(note, `${at}.country`, document.country)
    if (document.type === 'drivers_license' && !document.state)
      note(`${at}.state`, 'The state or province that issued the licence is missing.')
  })
}

function checkVehicles({ tractor, trailers }: Checked, note: Note): void {
  if (trailers.length >= mostVehicles)
    note('trailers', `A truck can be filed with ${mostVehicles - 1} trailers at most.`, 'wrong')
  if (!tractor) note('tractor', 'The truck is missing.')
  else {
    need(note, 'tractor', tractor, { number: 'The number of the truck is missing.' })
    checkPlate('tractor', 'the truck', tractor, note)
  }
  trailers.forEach((trailer, index) => {
    const at = `trailers.${index}`
    need(note, at, trailer, {
      number: 'The number of the trailer is missing.',
      kind: 'What kind of trailer it is is missing.',
    })
    checkPlate(at, 'the trailer', trailer, note)
    if (trailer.seals.some((seal) => clean(seal).length < 2))
      note(`${at}.seals`, 'The number of a seal has 2 letters or digits at least.', 'wrong')
    if (trailer.number && trailers.findIndex(({ number }) => number === trailer.number) < index)
      note(`${at}.number`, 'Another trailer of this trip has this number.', 'wrong')
  })
}

type Plated = { plate: string | null; plate_state: string | null; plate_country: string | null }

function checkPlate(at: string, what: string, plated: Plated, note: Note): void {
  need(note, at, plated, {
    plate: `The licence plate of ${what} is missing.`,
    plate_country: `The country of the plate of ${what} is missing.`,
  })
  checkCountry(note, `${at}.plate_country`, plated.plate_country)
  checkState(note, `${at}.plate_state`, plated.plate_state)
  if (countriesWithStates.includes(plated.plate_country ?? '') && !plated.plate_state)
    note(`${at}.plate_state`, `The state or province of the plate of ${what} is missing.`)
}

function checkShipments({ border, is_empty, shipments, trailers, carrier_code }: Checked, note: Note): void {
  if (is_empty && shipments.length > 0)
    note('is_empty', 'The truck is said to be empty, and there are shipments.', 'wrong')
  if (!is_empty && shipments.length === 0)
    note('shipments', 'There is no shipment. Add what is on the truck, or say that it is empty.')
  shipments.forEach((shipment, index) => {
    const at = `shipments.${index}`
    checkControl(at, shipment, border, carrier_code, note)
    if (
      shipment.control_number &&
      shipments.findIndex(({ control_number }) => control_number === shipment.control_number) < index
    )
      note(`${at}.control_number`, 'Another shipment of this trip has this control number.', 'wrong')
    if (shipment.trailer && !trailers.some(({ number }) => number === shipment.trailer))
      note(`${at}.trailer`, `No trailer of this trip has the number ${shipment.trailer}.`, 'wrong')
    checkParty(`${at}.shipper`, 'shipper', shipment.shipper, note)
    checkParty(`${at}.consignee`, 'consignee', shipment.consignee, note)
    if (shipment.broker) checkBroker(`${at}.broker`, shipment.broker, note)
    checkCommodities(at, shipment, note)
  })
}

function checkControl(at: string, shipment: Shipment, border: Border, carrier: string | null, note: Note): void {
  const { types, longestControl } = customs[border]
  const { control_number, type } = shipment
  if (!control_number)
    note(
      `${at}.control_number`,
      'The control number of the shipment is missing: the carrier’s code and the number of its sticker.',
    )
  else
    checkNumber(
      `${at}.control_number`,
      'The control number of a shipment',
      control_number,
      carrier,
      longestControl,
      note,
    )
  if (!type) note(`${at}.type`, 'How the shipment is cleared is missing.')
  else if (!types.includes(type))
    note(`${at}.type`, `At this border a shipment is one of ${types.join(', ')}.`, 'wrong')
  checkLoadingPort(at, shipment, border, note)
  if (type !== 'in_bond') return
  const leaves = border === 'ace' && ['62', '63'].includes(shipment.in_bond_type ?? '')
  need(note, at, shipment, {
    ...(leaves && {
      foreign_destination_port:
        'The place where a shipment in bond goes when it leaves the country is missing: its Schedule K code.',
    }),
    in_bond_type: 'The kind of entry of a shipment in bond is missing.',
    in_bond_number: 'The number of a shipment in bond is missing.',
    destination_port: 'The port where a shipment in bond goes is missing.',
  })
}

function checkLoadingPort(
  at: string,
  { loading_port, foreign_destination_port }: Shipment,
  border: Border,
  note: Note,
): void {
  const { loadingPort, loadingPortWords } = customs[border]
  if (!loading_port) note(`${at}.loading_port`, `Where the shipment was loaded is missing: ${loadingPortWords}.`)
  else if (!loadingPort.test(loading_port))
    note(`${at}.loading_port`, `Where the shipment was loaded must be ${loadingPortWords}.`, 'wrong')
  if (foreign_destination_port && !loadingPort.test(foreign_destination_port))
    note(`${at}.foreign_destination_port`, `Where it goes must be ${loadingPortWords}.`, 'wrong')
}

function checkParty(at: string, what: string, party: Party | null, note: Note): void {
  if (!party) {
    note(at, `The ${what} is missing.`)
    return
  }
  need(note, at, party, {
    name: `The name of the ${what} is missing.`,
    address_1: `The street of the ${what} is missing.`,
    city: `The city of the ${what} is missing.`,
    country: `The country of the ${what} is missing.`,
  })
  checkAddress(at, party, note)
  if (!countriesWithStates.includes(party.country ?? '')) return
  need(note, at, party, {
    state: `The state or province of the ${what} is missing.`,
    postal: `The postal code of the ${what} is missing.`,
  })
}

/** The name is enough; what else is there has to be as customs takes it. */
function checkBroker(at: string, broker: Party, note: Note): void {
  const given = (['address_1', 'city'] as const).filter((field) => broker[field] !== null)
  need(note, at, broker, {
    name: 'The name of the broker is missing.',
    ...Object.fromEntries(given.map((field) => [field, ''])),
  })
  checkAddress(at, broker, note)
}

function checkAddress(at: string, { city, state, postal, country }: Party, note: Note): void {
  checkCountry(note, `${at}.country`, country)
  checkState(note, `${at}.state`, state)
  if (city && clean(city).length === 1) note(`${at}.city`, 'A city has 2 letters at least.', 'wrong')
  if (postal && [1, 2].includes(clean(postal).length))
    note(`${at}.postal`, 'A postal code has 3 characters at least.', 'wrong')
}

function checkCommodities(at: string, { commodities, type }: Shipment, note: Note): void {
  if (commodities.length === 0) note(`${at}.commodities`, 'What is in the shipment is missing.')
  commodities.forEach((commodity, index) => {
    const place = `${at}.commodities.${index}`
    need(note, place, commodity, {
      description: 'What the goods are is missing.',
      quantity: 'How many packages there are is missing.',
      unit: 'What the goods are packed in is missing.',
      weight: 'The weight of the goods is missing.',
      weight_unit: 'The unit of the weight is missing.',
      ...(type === 'section_321' && {
        value: 'What the goods are worth is missing: section 321 has a limit.',
        country_of_origin: 'Where the goods were made is missing.',
      }),
    })
    checkCountry(note, `${place}.country_of_origin`, commodity.country_of_origin)
    if (commodity.currency_id && !/^[a-z]{3}$/.test(commodity.currency_id))
      note(`${place}.currency_id`, 'A currency is three letters, such as usd.', 'wrong')
    if (commodity.hs_code && !/^[\d.]{4,10}$/.test(commodity.hs_code))
      note(`${place}.hs_code`, 'A code of the harmonized system is 4 to 10 digits.', 'wrong')
    if (commodity.hazardous_code && !/^(?:UN|NA)\d{4}$/.test(commodity.hazardous_code))
      note(`${place}.hazardous_code`, 'A UN number is UN and 4 digits, such as UN1845.', 'wrong')
  })
}

/** Each of these fields has a value, and one of which something is left in the letters that customs can read. */
function need(note: Note, at: string, part: object, messages: Record<string, string>): void {
  for (const [field, message] of Object.entries(messages)) {
    const value = (part as Record<string, unknown>)[field]
    if (value === null || value === undefined) note(`${at}.${field}`, message)
    else if (typeof value === 'string' && !/[A-Za-z0-9]/.test(clean(value)))
      note(`${at}.${field}`, 'This has to be written in Latin letters.', 'wrong')
  }
}

function checkCountry(note: Note, field: string, country: string | null): void {
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    note(field, 'A country is two letters, such as US or CA.', 'wrong')
}

function checkState(note: Note, field: string, state: string | null): void {
  if (state !== null && !/^[A-Z]{2}$/.test(state))
    note(field, 'A state or province is two letters, such as ON.', 'wrong')
}
