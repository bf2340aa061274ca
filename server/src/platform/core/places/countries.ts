/** What countries, states and provinces are called in addresses, where people write names as well as codes. */

const countries = new Map(
  Object.entries({
    ...{
      USA: 'US',
      'U.S.': 'US',
      'U.S.A.': 'US',
      'UNITED STATES': 'US',
      'UNITED STATES OF AMERICA': 'US',
      CAN: 'CA',
      CANADA: 'CA',
    },
    ...{
      MEX: 'MX',
      MEXICO: 'MX',
      MÉXICO: 'MX',
      GBR: 'GB',
      UK: 'GB',
      'UNITED KINGDOM': 'GB',
      'GREAT BRITAIN': 'GB',
      DEU: 'DE',
      GERMANY: 'DE',
    },
  }),
)

const states = new Map(
  Object.entries({
    ...{
      ALABAMA: 'AL',
      ALASKA: 'AK',
      ARIZONA: 'AZ',
      ARKANSAS: 'AR',
      CALIFORNIA: 'CA',
      COLORADO: 'CO',
      CONNECTICUT: 'CT',
      DELAWARE: 'DE',
    },
    ...{
      'DISTRICT OF COLUMBIA': 'DC',
      FLORIDA: 'FL',
      GEORGIA: 'GA',
      HAWAII: 'HI',
      IDAHO: 'ID',
      ILLINOIS: 'IL',
      INDIANA: 'IN',
      IOWA: 'IA',
      KANSAS: 'KS',
    },
    ...{
      KENTUCKY: 'KY',
      LOUISIANA: 'LA',
      MAINE: 'ME',
      MARYLAND: 'MD',
      MASSACHUSETTS: 'MA',
      MICHIGAN: 'MI',
      MINNESOTA: 'MN',
      MISSISSIPPI: 'MS',
    },
    ...{
      MISSOURI: 'MO',
      MONTANA: 'MT',
      NEBRASKA: 'NE',
      NEVADA: 'NV',
      'NEW HAMPSHIRE': 'NH',
      'NEW JERSEY': 'NJ',
      'NEW MEXICO': 'NM',
      'NEW YORK': 'NY',
    },
    ...{
      'NORTH CAROLINA': 'NC',
      'NORTH DAKOTA': 'ND',
      OHIO: 'OH',
      OKLAHOMA: 'OK',
      OREGON: 'OR',
      PENNSYLVANIA: 'PA',
      'RHODE ISLAND': 'RI',
    },
    ...{
      'SOUTH CAROLINA': 'SC',
      'SOUTH DAKOTA': 'SD',
      TENNESSEE: 'TN',
      TEXAS: 'TX',
      UTAH: 'UT',
      VERMONT: 'VT',
      VIRGINIA: 'VA',
      WASHINGTON: 'WA',
    },
    ...{ 'WEST VIRGINIA': 'WV', WISCONSIN: 'WI', WYOMING: 'WY', 'PUERTO RICO': 'PR' },
    ...{
      ALBERTA: 'AB',
      'BRITISH COLUMBIA': 'BC',
      MANITOBA: 'MB',
      'NEW BRUNSWICK': 'NB',
      'NEWFOUNDLAND AND LABRADOR': 'NL',
      'NOVA SCOTIA': 'NS',
    },
    ...{
      'NORTHWEST TERRITORIES': 'NT',
      NUNAVUT: 'NU',
      ONTARIO: 'ON',
      'PRINCE EDWARD ISLAND': 'PE',
      QUEBEC: 'QC',
      QUÉBEC: 'QC',
      SASKATCHEWAN: 'SK',
    },
    YUKON: 'YT',
  }),
)

const provinces = new Set(['AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'ON', 'PE', 'QC', 'SK', 'YT'])
const ofTheUs = new Set([...states.values()].filter((code) => !provinces.has(code)))

export type Region = { country: string | null; state: string | null; city: string | null; postal: string | null }

/** The codes of the country and the state of an address. Without a country, a state or province of the United States or Canada tells it: none has the code of another. */
export function regionOf(address: unknown): Region {
  const { country, state, city, postal } = (address ?? {}) as Record<string, unknown>
  const written = upper(state)
  const code = written && (states.get(written) ?? written.replace(/^(?:US|CA|MX)-/, ''))
  const named = upper(country)
  const stated = code && provinces.has(code) ? 'CA' : code && ofTheUs.has(code) ? 'US' : null
  return {
    country: named ? (countries.get(named) ?? named) : stated,
    state: code,
    city: upper(city),
    postal: upper(postal),
  }
}

function upper(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().replace(/\s+/g, ' ').toUpperCase() : null
}
