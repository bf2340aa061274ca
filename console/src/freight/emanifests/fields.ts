import {
  type Choice,
  documentTypes,
  genders,
  inBondTypes,
  shipmentTypes,
  trailerKinds,
  units,
  weightUnits,
} from './choices.ts'

/** A field of a part of an e-manifest: how it is called, and how it is entered. */
export type FieldOf = {
  name: string
  label: string
  maxLength?: number
  type?: 'date' | 'number'
  choices?: readonly Choice[]
  description?: string
}

const text = (name: string, label: string, maxLength: number, description?: string): FieldOf => ({
  name,
  label,
  maxLength,
  ...(description && { description }),
})

export const driverFields: readonly FieldOf[] = [
  text('first_name', 'Given name', 35),
  text('last_name', 'Family name', 60),
  { name: 'date_of_birth', label: 'Day of birth', type: 'date' },
  { name: 'gender', label: 'Gender', choices: genders },
  text('citizenship', 'Citizenship', 2, 'Two letters, such as CA.'),
  text('phone', 'Phone', 30, 'Not sent to customs.'),
]

export const documentFields: readonly FieldOf[] = [
  { name: 'type', label: 'Document', choices: documentTypes },
  text('number', 'Number', 30),
  text('country', 'Issued by country', 2),
  text('state', 'State or province', 2),
]

const plateFields: readonly FieldOf[] = [
  text('plate', 'Licence plate', 15),
  text('plate_state', 'State or province', 2),
  text('plate_country', 'Country', 2),
]

export const tractorFields: readonly FieldOf[] = [
  text('number', 'Unit number', 15),
  text('vin', 'VIN', 17),
  ...plateFields,
]

export const trailerFields: readonly FieldOf[] = [
  text('number', 'Unit number', 15),
  { name: 'kind', label: 'Kind', choices: trailerKinds },
  ...plateFields,
  text('seals', 'Seals', 66, 'At most four, with commas between them.'),
]

export const shipmentFields = (border: 'ace' | 'aci', isInBond: boolean): readonly FieldOf[] => [
  text('control_number', 'Control number', 25, 'The carrier’s code and the number of the sticker.'),
  { name: 'type', label: 'Type', choices: shipmentTypes[border] },
  text('trailer', 'In trailer', 15, 'The first one if empty.'),
  text(
    'loading_port',
    'Loaded at',
    30,
    border === 'ace' ? 'The Schedule K code of the place, 5 digits.' : 'The code of the place, such as USSEA.',
  ),
  ...(isInBond
    ? [
        { name: 'in_bond_type', label: 'Kind of entry', choices: inBondTypes },
        text('in_bond_number', 'Bond number', 15),
        text('destination_port', 'Goes to port', 4),
        text('foreign_destination_port', 'Goes abroad to', 30, 'Of 62 and 63: the Schedule K code of the place.'),
      ]
    : []),
]

export const partyFields: readonly FieldOf[] = [
  text('name', 'Name', 60),
  text('address_1', 'Street and number', 55),
  text('address_2', 'Dock or floor', 55),
  text('city', 'City', 30),
  text('state', 'State or province', 2),
  text('postal', 'Postal code', 15),
  text('country', 'Country', 2),
]

export const commodityFields: readonly FieldOf[] = [
  text('description', 'Goods', 45),
  { name: 'quantity', label: 'Quantity', type: 'number', maxLength: 8 },
  { name: 'unit', label: 'Packed in', choices: units },
  { name: 'weight', label: 'Weight', type: 'number', maxLength: 12 },
  { name: 'weight_unit', label: 'Weight unit', choices: weightUnits },
  { name: 'value', label: 'Value', type: 'number', maxLength: 8 },
  text('currency_id', 'Currency of the value', 3, 'The dollar of the country it comes into if empty.'),
  text('country_of_origin', 'Made in', 2),
  text('hs_code', 'HS code', 10),
  text('hazardous_code', 'UN number', 6),
]

export const parties = { shipper: 'Shipper', consignee: 'Consignee', broker: 'Broker' } as const
