import { regionOf } from './countries.ts'

/**
 * The time zone of an address, by its country, state and postal code, or its city where there is no postal code; null where they do not tell it. A state
 * with several zones has that of most of its people, but for the postal codes and the larger towns named below, which have another.
 */
export function zoneOfPlace(address: unknown): string | null {
  const { country, state, city, postal } = regionOf(address)
  if (country === null) return null
  const byState = zones.get(country)
  if (byState === undefined) return oneZone.get(country) ?? null
  const region = `${country}-${state}`
  const others = postal ? Object.entries(exceptions.get(region) ?? {}) : []
  return (
    others.find(([starts]) => starts.split(' ').some((start) => postal?.startsWith(start)))?.[1] ??
    (postal ? null : townIn(region, city)) ??
    byState.get(state ?? '') ??
    null
  )
}

const [eastern, central, mountain, pacific] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
] as const

const each = (zone: string, states: string) => Object.fromEntries(states.split(' ').map((state) => [state, zone]))

/** Countries of several zones, by the codes of their states. */
const zones = mapOf({
  US: mapOf({
    ...each(eastern, 'CT DC DE FL GA KY MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'),
    ...each(central, 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI'),
    ...each(mountain, 'CO MT NM UT WY'),
    ...each(pacific, 'CA NV OR WA'),
    ...{
      AK: 'America/Anchorage',
      AZ: 'America/Phoenix',
      HI: 'Pacific/Honolulu',
      ID: 'America/Boise',
      IN: 'America/Indiana/Indianapolis',
    },
    ...{ MI: 'America/Detroit', PR: 'America/Puerto_Rico', VI: 'America/Puerto_Rico', GU: 'Pacific/Guam' },
  }),
  CA: mapOf({
    ...{
      AB: 'America/Edmonton',
      BC: 'America/Vancouver',
      MB: 'America/Winnipeg',
      NB: 'America/Moncton',
      NL: 'America/St_Johns',
      NS: 'America/Halifax',
    },
    ...{
      NT: 'America/Yellowknife',
      NU: 'America/Iqaluit',
      ON: 'America/Toronto',
      PE: 'America/Halifax',
      QC: 'America/Toronto',
      SK: 'America/Regina',
    },
    YT: 'America/Whitehorse',
  }),
  MX: mapOf({
    ...each(
      'America/Mexico_City',
      'AGU AG CMX DF CDMX CAM CM CHP CS COL CL DUR DG GUA GT GTO GRO GR HID HG JAL JA MEX EM MX MIC MI MOR MO OAX OA PUE PU QUE QE QT',
    ),
    ...each('America/Mexico_City', 'SLP SL TAB TB TLA TL VER VE ZAC ZA'),
    ...each('America/Monterrey', 'COA CO COAH NLE NL TAM TM TAMPS'),
    ...{
      BCN: 'America/Tijuana',
      BC: 'America/Tijuana',
      BCS: 'America/Mazatlan',
      BS: 'America/Mazatlan',
      NAY: 'America/Mazatlan',
      NA: 'America/Mazatlan',
    },
    ...{
      SIN: 'America/Mazatlan',
      SI: 'America/Mazatlan',
      SON: 'America/Hermosillo',
      SO: 'America/Hermosillo',
      CHH: 'America/Chihuahua',
      CH: 'America/Chihuahua',
    },
    ...{ ROO: 'America/Cancun', QR: 'America/Cancun', YUC: 'America/Merida', YU: 'America/Merida' },
  }),
  AU: mapOf({
    ...{
      NSW: 'Australia/Sydney',
      ACT: 'Australia/Sydney',
      VIC: 'Australia/Melbourne',
      QLD: 'Australia/Brisbane',
      SA: 'Australia/Adelaide',
    },
    ...{ WA: 'Australia/Perth', TAS: 'Australia/Hobart', NT: 'Australia/Darwin' },
  }),
})

/** Postal codes, by how they begin, that have another zone than most of their state. */
const exceptions = mapOf<Record<string, string>>({
  'US-FL': { '324 325': central },
  'US-ID': { '835 838': pacific },
  'US-IN': { '463 464 476 477': central },
  'US-KY': { '420 421 422 423 424': central },
  'US-MI': { '49801 49802 49834 49858 49870 49911 49920 49935 49938': 'America/Menominee' },
  'US-ND': { '586': mountain },
  'US-NE': { '693': mountain },
  'US-NV': { '89883': mountain },
  'US-OR': { '979': 'America/Boise' },
  'US-SD': { '577': mountain },
  'US-TN': { '373 374 376 377 378 379': eastern },
  // Of 798 only the counties of El Paso and Hudspeth: Alpine, Marfa, Presidio and Van Horn have the time of the rest of the state.
  'US-TX': { '79821 79835 79836 79837 79838 79839 79847 79849 79851 79853 799 885': mountain },
  'CA-BC': { 'V1A V1C V0A V0B': 'America/Edmonton', 'V1G V1J V0C': 'America/Dawson_Creek' },
  'CA-NL': { 'A0P A2V': 'America/Goose_Bay' },
  'CA-ON': { 'P9N P9A P0X': 'America/Winnipeg' },
  // Along the border of the United States, where clocks are set with those on the other side.
  'MX-CH': { '32': 'America/Ciudad_Juarez' },
  'MX-CHH': { '32': 'America/Ciudad_Juarez' },
  'MX-TM': { '873 874 875 88': 'America/Matamoros' },
  'MX-TAM': { '873 874 875 88': 'America/Matamoros' },
  'MX-CO': { '26': 'America/Matamoros' },
  'MX-COA': { '26': 'America/Matamoros' },
})

/** The larger towns that have another zone than most of their state, for addresses without a postal code. */
const towns = mapOf<Record<string, string>>({
  'US-FL': { 'Pensacola, Panama City, Fort Walton Beach, Destin, Crestview, Marianna': central },
  'US-ID': { "Coeur d'Alene, Post Falls, Lewiston, Moscow, Sandpoint": pacific },
  'US-IN': {
    'Gary, Hammond, East Chicago, Merrillville, Crown Point, Portage, Valparaiso, Michigan City, La Porte, Evansville, Newburgh':
      central,
  },
  'US-KS': { 'Goodland, Sharon Springs, Tribune, Syracuse': mountain },
  'US-KY': {
    'Bowling Green, Owensboro, Paducah, Hopkinsville, Henderson, Murray, Madisonville, Franklin, Glasgow': central,
  },
  'US-MI': { 'Iron Mountain, Kingsford, Ironwood, Menominee, Iron River': 'America/Menominee' },
  'US-ND': { 'Dickinson, Bowman, Hettinger': mountain },
  'US-NE': { 'Scottsbluff, Gering, Alliance, Sidney, Chadron, Ogallala, Kimball': mountain },
  'US-NV': { 'West Wendover, Jackpot': mountain },
  'US-OR': { 'Ontario, Nyssa, Vale': 'America/Boise' },
  'US-SD': { 'Rapid City, Spearfish, Sturgis, Belle Fourche, Hot Springs, Box Elder': mountain },
  'US-TN': {
    'Knoxville, Chattanooga, Johnson City, Kingsport, Bristol, Morristown, Cleveland, Maryville, Oak Ridge, Greeneville, Athens, Sevierville, Loudon':
      eastern,
  },
  'US-TX': { 'El Paso, Socorro, Horizon City, Sierra Blanca': mountain },
  'CA-BC': {
    'Cranbrook, Kimberley, Golden, Fernie': 'America/Edmonton',
    'Dawson Creek, Fort St. John': 'America/Dawson_Creek',
  },
  'CA-NL': { 'Happy Valley-Goose Bay, Labrador City, Wabush': 'America/Goose_Bay' },
  'CA-ON': { 'Kenora, Dryden, Fort Frances, Rainy River': 'America/Winnipeg' },
  'MX-CH': { 'Ciudad Juárez, Ciudad Juarez, Juárez, Juarez': 'America/Ciudad_Juarez' },
  'MX-CHH': { 'Ciudad Juárez, Ciudad Juarez, Juárez, Juarez': 'America/Ciudad_Juarez' },
  'MX-TM': { 'Matamoros, Reynosa, Nuevo Laredo, Río Bravo, Rio Bravo': 'America/Matamoros' },
  'MX-TAM': { 'Matamoros, Reynosa, Nuevo Laredo, Río Bravo, Rio Bravo': 'America/Matamoros' },
  'MX-CO': { 'Piedras Negras, Ciudad Acuña, Ciudad Acuna': 'America/Matamoros' },
  'MX-COA': { 'Piedras Negras, Ciudad Acuña, Ciudad Acuna': 'America/Matamoros' },
})

function townIn(region: string, city: string | null): string | null {
  const found = Object.entries(towns.get(region) ?? {}).find(([names]) =>
    names.split(', ').some((name) => name.toUpperCase() === city),
  )
  return found?.[1] ?? null
}

/** Countries of one zone, or of one in which all but islands are. */
const oneZone = mapOf({
  ...{
    AT: 'Europe/Vienna',
    BE: 'Europe/Brussels',
    BG: 'Europe/Sofia',
    CH: 'Europe/Zurich',
    CZ: 'Europe/Prague',
    DE: 'Europe/Berlin',
    DK: 'Europe/Copenhagen',
  },
  ...{
    EE: 'Europe/Tallinn',
    ES: 'Europe/Madrid',
    FI: 'Europe/Helsinki',
    FR: 'Europe/Paris',
    GB: 'Europe/London',
    GR: 'Europe/Athens',
    HR: 'Europe/Zagreb',
  },
  ...{
    HU: 'Europe/Budapest',
    IE: 'Europe/Dublin',
    IT: 'Europe/Rome',
    LT: 'Europe/Vilnius',
    LU: 'Europe/Luxembourg',
    LV: 'Europe/Riga',
    NL: 'Europe/Amsterdam',
  },
  ...{
    NO: 'Europe/Oslo',
    PL: 'Europe/Warsaw',
    PT: 'Europe/Lisbon',
    RO: 'Europe/Bucharest',
    RS: 'Europe/Belgrade',
    SE: 'Europe/Stockholm',
    SI: 'Europe/Ljubljana',
  },
  ...{
    SK: 'Europe/Bratislava',
    TR: 'Europe/Istanbul',
    UA: 'Europe/Kyiv',
    IL: 'Asia/Jerusalem',
    AE: 'Asia/Dubai',
    SA: 'Asia/Riyadh',
    IN: 'Asia/Kolkata',
  },
  ...{
    CN: 'Asia/Shanghai',
    HK: 'Asia/Hong_Kong',
    JP: 'Asia/Tokyo',
    KR: 'Asia/Seoul',
    SG: 'Asia/Singapore',
    TW: 'Asia/Taipei',
    TH: 'Asia/Bangkok',
  },
  ...{
    VN: 'Asia/Ho_Chi_Minh',
    PH: 'Asia/Manila',
    MY: 'Asia/Kuala_Lumpur',
    PK: 'Asia/Karachi',
    NZ: 'Pacific/Auckland',
    ZA: 'Africa/Johannesburg',
  },
  ...{
    EG: 'Africa/Cairo',
    MA: 'Africa/Casablanca',
    NG: 'Africa/Lagos',
    KE: 'Africa/Nairobi',
    AR: 'America/Argentina/Buenos_Aires',
    CO: 'America/Bogota',
  },
  ...{
    PE: 'America/Lima',
    UY: 'America/Montevideo',
    CR: 'America/Costa_Rica',
    GT: 'America/Guatemala',
    HN: 'America/Tegucigalpa',
    NI: 'America/Managua',
  },
  ...{ PA: 'America/Panama', SV: 'America/El_Salvador', DO: 'America/Santo_Domingo', BZ: 'America/Belize' },
})

/** A plain object has inherited properties, such as `constructor`, which are no countries. */
function mapOf<T>(entries: Record<string, T>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries))
}
