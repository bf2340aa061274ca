type Names = Readonly<Record<string, readonly string[]>>

/** Other names under which parameters are understood, by that of the reference. A route that has a parameter of such a name means that. */
const ofParameters: Names = {
  status_ids: ['statuses', 'states', 'status'],
  status: ['statuses', 'states', 'statusIds', 'status_ids'],
  currency_ids: ['currency', 'currencies', 'currency_id'],
  currency_id: ['currency', 'currencies', 'currency_ids'],
  update_start_at: ['updateStartAt'],
  updated_start_at: ['updatedStartAt'],
  updated_end_at: ['updatedEndAt'],
  dry_run: ['dryRun'],
  dryRun: ['dry_run'],
}

/** The same of the fields of bodies. */
const ofFields: Names = {
  currency_id: ['currency'],
  items: ['lines'],
  lines: ['items'],
  address_1: ['address1'],
  address_2: ['address2'],
}

/** The same of the parts of an address. Beside one an organization can have a field of its own by such a name. */
const ofAddresses: Names = {
  postal: ['postal_code', 'postalCode', 'postcode', 'zip', 'zip_code', 'zipCode'],
}

export function otherParameters(known: readonly string[]): ReadonlyMap<string, string> {
  return otherNamesOf(ofParameters, new Set(known))
}

export function otherFields(known: readonly string[]): ReadonlyMap<string, string> {
  const isAddress = known.includes('address_1')
  return otherNamesOf(isAddress ? { ...ofFields, ...ofAddresses } : ofFields, new Set(known))
}

/** The name in the reference of each other name, of those that a schema knows. */
function otherNamesOf(names: Names, known: ReadonlySet<string>): ReadonlyMap<string, string> {
  const pairs = [...known].flatMap((name) =>
    Object.hasOwn(names, name) ? (names[name] as string[]).map((other) => [other, name] as const) : [],
  )
  return new Map(pairs.filter(([other]) => !known.has(other)))
}
