/** What can be chosen in the form, and how it is called. */
export type Choice = { value: string; label: string }
const choicesOf = (words: Record<string, string>): Choice[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

export const genders = choicesOf({ M: 'Male', F: 'Female', X: 'Other' })
export const documentTypes = choicesOf({
  passport: 'Passport',
  drivers_license: 'Driver’s licence',
  enhanced_license: 'Enhanced licence',
  fast: 'FAST card',
  nexus: 'NEXUS card',
  permanent_resident: 'Permanent resident card',
  other: 'Other',
})
export const trailerKinds = choicesOf({
  dry_van: 'Dry van',
  reefer: 'Reefer',
  flatbed: 'Flatbed',
  step_deck: 'Step deck',
  tanker: 'Tanker',
  container: 'Container',
  chassis: 'Chassis',
  other: 'Other',
})
export const shipmentTypes: Record<'ace' | 'aci', Choice[]> = {
  ace: choicesOf({ paps: 'PAPS', brass: 'BRASS', section_321: 'Section 321', in_bond: 'In bond' }),
  aci: choicesOf({ pars: 'PARS', csa: 'CSA', low_value: 'Low value', in_bond: 'In bond' }),
}
export const inBondTypes = choicesOf({
  '61': '61, immediate transportation',
  '62': '62, transportation and exportation',
  '63': '63, immediate exportation',
})
export const units = choicesOf({
  PCS: 'Pieces',
  CTN: 'Cartons',
  PLT: 'Pallets',
  BOX: 'Boxes',
  BAG: 'Bags',
  DRM: 'Drums',
  CRT: 'Crates',
  ROL: 'Rolls',
  PKG: 'Packages',
})
export const weightUnits = choicesOf({ kg: 'kg', lb: 'lb' })
