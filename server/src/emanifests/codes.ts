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
    ...{ country: 'US', receiver: 'USCBP', types: ['paps', 'brass', 'section_321', 'in_bond'], longestTrip: 16, longestControl: 16, sets: ['309'] },
    ...{ portDigits: /^\d{4}$/, portWords: 'the 4 digits of the port of entry, such as 3004' },
  },
  aci: {
    ...{ country: 'CA', receiver: 'CBSA', types: ['pars', 'csa', 'low_value', 'in_bond'], longestTrip: 25, longestControl: 25, sets: ['309', '358'] },
    ...{ portDigits: /^\d{3,4}$/, portWords: 'the 3 or 4 digits of the customs office, such as 0813' },
  },
}

export const purposes = ['original', 'amendment', 'cancellation'] as const
export type Purpose = (typeof purposes)[number]
/** X12 data element 353. */
export const purposeCodes: Record<Purpose, string> = { original: '00', amendment: '04', cancellation: '01' }

/** Documents of a driver, each with its qualifier as a reference. */
export const documentCodes = {
  passport: 'PP',
  drivers_license: 'DL',
  enhanced_license: 'ED',
  fast: 'FS',
  nexus: 'NX',
  permanent_resident: 'PR',
  other: 'ZZ',
} as const
export type DocumentType = keyof typeof documentCodes
export const documentTypes = Object.keys(documentCodes) as DocumentType[]

/** Trailers and the like, each with its code as equipment (X12 data element 40). */
export const equipmentCodes = {
  dry_van: 'TF',
  reefer: 'TW',
  flatbed: 'FT',
  step_deck: 'FT',
  tanker: 'TN',
  container: 'CN',
  chassis: 'CH',
  other: 'TL',
} as const
export type TrailerKind = keyof typeof equipmentCodes
export const trailerKinds = Object.keys(equipmentCodes) as TrailerKind[]
/** A truck that carries freight itself. */
export const truckCode = 'TV'

export const units = ['PCS', 'CTN', 'PLT', 'BOX', 'BAG', 'DRM', 'CRT', 'ROL', 'PKG'] as const
export const weightUnits = { kg: 'K', lb: 'L' } as const
export type WeightUnit = keyof typeof weightUnits

/** 61: immediate transportation, 62: transportation and exportation, 63: immediate exportation. */
export const inBondTypes = ['61', '62', '63'] as const

/** Where an address or a plate needs a state or a province. */
export const countriesWithStates = ['US', 'CA', 'MX']
