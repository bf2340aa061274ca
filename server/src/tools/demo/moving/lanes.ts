/** Whom the demo pays. */
export const carriers = [
  {
    company: 'Cascade Carriers LLC',
    contact: 'Dana Whitfield',
    street: '4410 Industrial Way',
    city: 'Portland',
    state: 'OR',
    postal: '97210',
    domain: 'cascadecarriers.example',
    scac: 'CSCD',
    mc: 'MC-482210',
    trucks: ['dry_van', 'flatbed'],
  },
  {
    company: 'High Plains Transport',
    contact: 'Luis Ferrer',
    street: '88 Grain Elevator Rd',
    city: 'Amarillo',
    state: 'TX',
    postal: '79118',
    domain: 'highplains.example',
    scac: 'HPLT',
    mc: 'MC-517734',
    trucks: ['dry_van', 'tanker'],
  },
  {
    company: 'Great Lakes Haulage Inc.',
    contact: 'Marcy Kowalski',
    street: '2210 Harbor Dr',
    city: 'Toledo',
    state: 'OH',
    postal: '43605',
    domain: 'glhaulage.example',
    scac: 'GLHI',
    mc: 'MC-390451',
    trucks: ['dry_van', 'step_deck'],
  },
  {
    company: 'Palmetto Freight Lines',
    contact: 'Andre Simmons',
    street: '17 Terminal Ct',
    city: 'Savannah',
    state: 'GA',
    postal: '31408',
    domain: 'palmettofreight.example',
    scac: 'PMFL',
    mc: 'MC-628809',
    trucks: ['container', 'dry_van'],
  },
  {
    company: 'Sierra Reefer Express',
    contact: 'Nina Park',
    street: '905 Cold Storage Blvd',
    city: 'Fresno',
    state: 'CA',
    postal: '93725',
    domain: 'sierrareefer.example',
    scac: 'SRRX',
    mc: 'MC-701126',
    trucks: ['reefer'],
  },
  {
    company: 'Keystone Dray & Drop',
    contact: 'Owen Doyle',
    street: '301 Container Ave',
    city: 'Harrisburg',
    state: 'PA',
    postal: '17111',
    domain: 'keystonedray.example',
    scac: 'KYSD',
    mc: 'MC-455390',
    trucks: ['container', 'box_truck'],
  },
] as const

export type Carrier = (typeof carriers)[number]

const cities = {
  'Portland, OR': [45.5203, -122.6741],
  'Boise, ID': [43.615, -116.2023],
  'Amarillo, TX': [35.1993, -101.8451],
  'Denver, CO': [39.7392, -104.9847],
  'Toledo, OH': [41.6639, -83.5552],
  'Nashville, TN': [36.1659, -86.7844],
  'Savannah, GA': [32.0835, -81.0998],
  'Charlotte, NC': [35.2271, -80.8431],
  'Fresno, CA': [36.7378, -119.7871],
  'Phoenix, AZ': [33.4484, -112.074],
  'Harrisburg, PA': [40.2732, -76.8867],
  'Columbus, OH': [39.9612, -82.9988],
  'Reno, NV': [39.5296, -119.8138],
  'Salt Lake City, UT': [40.7608, -111.891],
  'Kansas City, MO': [39.0997, -94.5786],
  'Chicago, IL': [41.8781, -87.6298],
} as const
export type City = keyof typeof cities

/** Where a city is, as the part of an address. */
export function placeOf(name: City) {
  const [city, state] = name.split(', ') as [string, string]
  const [latitude, longitude] = cities[name]
  return { city, state, country: 'US', latitude, longitude }
}

/** From where to where, and how many miles that is. */
const lanes = [
  ['Portland, OR', 'Boise, ID', 431],
  ['Amarillo, TX', 'Denver, CO', 434],
  ['Toledo, OH', 'Nashville, TN', 452],
  ['Savannah, GA', 'Charlotte, NC', 253],
  ['Fresno, CA', 'Phoenix, AZ', 591],
  ['Harrisburg, PA', 'Columbus, OH', 365],
  ['Reno, NV', 'Salt Lake City, UT', 518],
  ['Kansas City, MO', 'Chicago, IL', 510],
] as const satisfies readonly (readonly [City, City, number])[]

export type Lane = (typeof lanes)[number]

export function laneOf(trip: number): Lane {
  return lanes[trip % lanes.length] as Lane
}

export const itemTypes = {
  LH: ['Line haul', 'freight'],
  FSC: ['Fuel surcharge', 'freight'],
  DET: ['Detention', 'accessorial'],
  LUM: ['Lumper', 'accessorial'],
  LAY: ['Layover', 'accessorial'],
  TONU: ['Truck ordered, not used', 'accessorial'],
  STOP: ['Stop-off', 'accessorial'],
  ADV: ['Cash advance', 'deduction'],
} as const
export type ItemType = keyof typeof itemTypes

const accessorials = [
  ['DET', 'Detention at delivery, after two free hours', 6500, 3],
  ['LUM', 'Lumper, receipt attached', 18000, 1],
  ['LAY', 'Layover, dock closed on arrival', 25000, 1],
  ['STOP', 'Extra stop', 7500, 1],
  ['ADV', 'Fuel advance paid at pickup', -40000, 1],
] as const

export type Charge = { type: ItemType; description: string; unit_price: number; quantity: number }

/** What the carrier of a trip is paid for: the same on its manifest and on its bill. */
export function chargesOf(trip: number): Charge[] {
  const [from, to, miles] = laneOf(trip)
  const extra = accessorials[trip % (accessorials.length + 2)]
  return [
    {
      type: 'LH',
      description: `Line haul ${from} to ${to}, ${miles} mi`,
      unit_price: miles * (215 + (trip % 7) * 9),
      quantity: 1,
    },
    { type: 'FSC', description: `Fuel surcharge, ${miles} mi`, unit_price: 48, quantity: miles },
    ...(extra ? [{ type: extra[0], description: extra[1], unit_price: extra[2], quantity: extra[3] }] : []),
  ]
}

/** What the customer of a trip pays for the freight: the costs and a margin. */
export function freightOf(trip: number): number {
  const cost = chargesOf(trip)
    .slice(0, 2)
    .reduce((sum, { unit_price, quantity }) => sum + unit_price * quantity, 0)
  return Math.round((cost * (1.16 + (trip % 5) * 0.01)) / 500) * 500
}

/** What is passed on to the customer besides; what was advanced to the driver is not. */
export function chargesToCustomer(trip: number): Charge[] {
  return chargesOf(trip)
    .slice(2)
    .filter(({ unit_price }) => unit_price > 0)
}

const day = 86_400_000
const trips = 40
const oldest = 165

/** The oldest trip was billed five months ago, the youngest today, and the younger they are the closer they lie. */
export function billedAt(trip: number): Date {
  const age = oldest * ((trips - 1 - trip) / trips) ** 1.7
  return new Date(Math.floor(Date.now() / day - age) * day)
}

/** One in eleven is driven in Canadian dollars. */
export function currencyOf(trip: number): string {
  return trip % 11 === 10 ? 'cad' : 'usd'
}
