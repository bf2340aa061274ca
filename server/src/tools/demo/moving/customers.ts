import type { City } from './lanes.ts'

type Shipper = {
  name: string
  street: string
  at: City
  postal: string
  contact: string
  title: string
  domain: string
  goods: string
  equipment: string
}

/** Whom the demo ships for: each by a city that its carriers drive from, or to. */
export const customers: readonly Shipper[] = [
  {
    name: 'Willamette Paper Co.',
    street: '2500 NW Front Ave',
    at: 'Portland, OR',
    postal: '97210',
    contact: 'Grace Lindqvist',
    title: 'Shipping manager',
    domain: 'willamettepaper.example',
    goods: 'Rolled newsprint',
    equipment: 'dry_van',
  },
  {
    name: 'Panhandle Feed & Grain',
    street: '1401 Cattlemans Blvd',
    at: 'Amarillo, TX',
    postal: '79104',
    contact: 'Hank Dwyer',
    title: 'Yard supervisor',
    domain: 'panhandlefeed.example',
    goods: 'Bagged cattle feed',
    equipment: 'dry_van',
  },
  {
    name: 'Maumee Glass Works',
    street: '640 Front St',
    at: 'Toledo, OH',
    postal: '43605',
    contact: 'Irene Novak',
    title: 'Logistics lead',
    domain: 'maumeeglass.example',
    goods: 'Crated float glass',
    equipment: 'step_deck',
  },
  {
    name: 'Lowcountry Imports',
    street: '75 Ocean Terminal Rd',
    at: 'Savannah, GA',
    postal: '31408',
    contact: 'Tobias Greene',
    title: 'Import coordinator',
    domain: 'lowcountryimports.example',
    goods: 'Furniture in cartons',
    equipment: 'container',
  },
  {
    name: 'San Joaquin Growers',
    street: '3300 E Central Ave',
    at: 'Fresno, CA',
    postal: '93725',
    contact: 'Marisol Vega',
    title: 'Cold chain manager',
    domain: 'sjgrowers.example',
    goods: 'Table grapes',
    equipment: 'reefer',
  },
  {
    name: 'Susquehanna Candy',
    street: '12 Chocolate Mill Ln',
    at: 'Harrisburg, PA',
    postal: '17111',
    contact: 'Peter Hollis',
    title: 'Traffic manager',
    domain: 'susquehannacandy.example',
    goods: 'Confectionery on pallets',
    equipment: 'box_truck',
  },
  {
    name: 'Truckee Battery Systems',
    street: '900 Greg St',
    at: 'Reno, NV',
    postal: '89431',
    contact: 'Anjali Rao',
    title: 'Outbound planner',
    domain: 'truckeebattery.example',
    goods: 'Lithium-ion modules',
    equipment: 'dry_van',
  },
  {
    name: 'Prairie State Appliances',
    street: '4801 Truman Rd',
    at: 'Kansas City, MO',
    postal: '64127',
    contact: 'Wes Carver',
    title: 'Dock manager',
    domain: 'prairiestate.example',
    goods: 'Refrigerators',
    equipment: 'dry_van',
  },
  {
    name: 'Gem State Outfitters',
    street: '310 S Capitol Blvd',
    at: 'Boise, ID',
    postal: '83702',
    contact: 'Lena Ochoa',
    title: 'Buyer',
    domain: 'gemstate.example',
    goods: 'Camping gear',
    equipment: 'dry_van',
  },
  {
    name: 'Mile High Brewing Supply',
    street: '5150 Brighton Blvd',
    at: 'Denver, CO',
    postal: '80216',
    contact: 'Callum Reid',
    title: 'Purchasing',
    domain: 'milehighsupply.example',
    goods: 'Malt in super sacks',
    equipment: 'dry_van',
  },
  {
    name: 'Queen City Flooring',
    street: '2020 Statesville Ave',
    at: 'Charlotte, NC',
    postal: '28206',
    contact: 'Brooke Tanner',
    title: 'Inventory manager',
    domain: 'queencityflooring.example',
    goods: 'Vinyl planks',
    equipment: 'dry_van',
  },
  {
    name: 'Lakeshore Grocers',
    street: '1700 S Ashland Ave',
    at: 'Chicago, IL',
    postal: '60608',
    contact: 'Samira Haddad',
    title: 'Receiving manager',
    domain: 'lakeshoregrocers.example',
    goods: 'Mixed groceries',
    equipment: 'reefer',
  },
]

/** What is sold, and for how much a mile where that is how it is sold. */
export const services = [
  ['TL-DRY', 'Dry van truckload', 'truckload', 265],
  ['TL-REEFER', 'Temperature-controlled truckload', 'truckload', 310],
  ['TL-FLAT', 'Flatbed truckload', 'truckload', 325],
  ['DRAY', 'Port drayage', 'drayage', 45_000],
  ['LTL', 'Less than truckload', 'less_than_truckload', 18_500],
  ['DET', 'Detention', 'accessorial', 6_500],
  ['LUMP', 'Lumper service', 'accessorial', 18_000],
  ['WH', 'Cross-dock and storage', 'warehousing', 2_250],
] as const
