/** The words of customs that an e-manifest is made of, and the codes that stand for them in an interchange. docs/emanifests.md shows them. */

export const borders = ['ace', 'aci'] as const
export type Border = (typeof borders)[number]

type Customs = {
  /** Which country the truck comes into. */
  country: string
  /** Who receives the interchanges. */
  receiver: string
  /** How shipments can be cleared there. */
  types: readonly ShipmentType[]
  /** The longest number of a trip, and of a shipment. */
  longestTrip: number
  longestControl: number
  portDigits: RegExp
  portWords: string
  /** The form of the code of the place where a shipment was loaded, and what kind of code it is where customs wants that said. */
  loadingPort: RegExp
  loadingPortWords: string
  loadingPortKind: string
  /** What a value without a currency is in, and which tariff the code of goods is of (X12 data element 22). */
  currency: string
  tariffCode: string
  /** What a manifest is filed with: the shipments, and in Canada the conveyance for itself. */
  sets: readonly TransactionSet[]
}

export const shipmentTypes = ['paps', 'brass', 'section_321', 'pars', 'csa', 'low_value', 'in_bond'] as const
export type ShipmentType = (typeof shipmentTypes)[number]

/** 309 is the manifest with its shipments, 358 the consist: the conveyance, its crew and equipment, and which shipments are on it. */
export type TransactionSet = '309' | '358'
export const groupCodes: Record<TransactionSet, string> = { '309': 'AQ', '358': 'BD' }
/** The release of X12 that is written. */
export const version = '005020'

export const customs: Record<Border, Customs> = {
  ace: {
    ...{
      country: 'US',
      receiver: 'USCBP',
      types: ['paps', 'brass', 'section_321', 'in_bond'],
      longestTrip: 16,
      longestControl: 16,
      sets: ['309'],
    },
    ...{ portDigits: /^\d{4}$/, portWords: 'the 4 digits of the port of entry, such as 3004' },
    ...{ loadingPort: /^\d{5}$/, loadingPortWords: 'the 5 digits of its Schedule K code', loadingPortKind: 'K ' },
    ...{ currency: 'USD', tariffCode: 'A' },
  },
  aci: {
    ...{
      country: 'CA',
      receiver: 'CBSA',
      types: ['pars', 'csa', 'low_value', 'in_bond'],
      longestTrip: 25,
      longestControl: 25,
      sets: ['309', '358'],
    },
    ...{ portDigits: /^\d{3,4}$/, portWords: 'the 3 or 4 digits of the customs office, such as 0813' },
    ...{
      loadingPort: /^[A-Z0-9]{2,30}$/,
      loadingPortWords: 'a code of 2 to 30 letters and digits, such as USSEA',
      loadingPortKind: '',
    },
    ...{ currency: 'CAD', tariffCode: 'J' },
  },
}

export const purposes = ['original', 'amendment', 'cancellation'] as const
export type Purpose = (typeof purposes)[number]
/** They are X12 data element 353. */
export const purposeCodes: Record<Purpose, string> = { original: '00', amendment: '04', cancellation: '01' }

/** Documents of a driver: the qualifier of a reference (X12 data element 128), and what says more where no qualifier is for that document alone. */
export const documentCodes = {
  passport: { qualifier: 'ACW', words: '' },
  drivers_license: { qualifier: '5J', words: '' },
  enhanced_license: { qualifier: '5J', words: 'ENHANCED' },
  fast: { qualifier: 'ZZ', words: 'FAST' },
  nexus: { qualifier: 'ZZ', words: 'NEXUS' },
  permanent_resident: { qualifier: 'ACU', words: '' },
  other: { qualifier: 'ZZ', words: '' },
} as const
export type DocumentType = keyof typeof documentCodes
export const documentTypes = Object.keys(documentCodes) as DocumentType[]

/** Who drives (X12 data element 98). */
export const driverCode = 'D1'

/** Trailers and the like, each with its code as equipment (X12 data element 40). Codes of tank trailers say what is in them, which is not known. */
export const equipmentCodes = {
  dry_van: 'TF',
  reefer: 'TW',
  flatbed: 'FT',
  step_deck: 'SD',
  tanker: 'TL',
  container: 'CN',
  chassis: 'CH',
  other: 'TL',
} as const
export type TrailerKind = keyof typeof equipmentCodes
export const trailerKinds = Object.keys(equipmentCodes) as TrailerKind[]
/** A truck that pulls, and one that carries freight itself. */
export const tractorCode = 'TR'
export const truckCode = 'TV'
/** The truck and what it pulls, as many as a transaction has vehicles (VEH). */
export const mostVehicles = 10

export const units = ['PCS', 'CTN', 'PLT', 'BOX', 'BAG', 'DRM', 'CRT', 'ROL', 'PKG'] as const
export const weightUnits = { kg: 'K', lb: 'L' } as const
export type WeightUnit = keyof typeof weightUnits

/** 61: immediate transportation, 62: transportation and exportation, 63: immediate exportation. */
export const inBondTypes = ['61', '62', '63'] as const

/** Where an address or a plate needs a state or a province. */
export const countriesWithStates = ['US', 'CA', 'MX']
