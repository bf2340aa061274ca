/** A charge as its sender names it: the code of a special charge, null for the freight itself, and words. */
type Charge = { code: string | null; description: string | null }
export type KnownType = { name: string; external_id: string | null }

type Meaning = { codes: readonly string[]; names: readonly string[] }

/** What codes of special charges (X12 element 150) mean, and what bill item types for it are commonly called. The first name is for people. */
const charges: readonly Meaning[] = [
  { codes: ['400', 'LHS', 'LHC'], names: ['Line haul', 'Linehaul', 'Freight', 'Freight charge'] },
  { codes: ['405', 'FUE', 'FSC', 'FUS'], names: ['Fuel surcharge', 'Fuel', 'Fuel charge', 'FSC'] },
  { codes: ['ENS'], names: ['Energy surcharge', 'Fuel surcharge', 'Fuel'] },
  { codes: ['DET', 'DTL', 'DTU', 'DTN', 'DPU'], names: ['Detention', 'Detention charge', 'Waiting time'] },
  { codes: ['WTG'], names: ['Waiting time', 'Detention'] },
  { codes: ['LAY', 'LYC'], names: ['Layover'] },
  { codes: ['SOC'], names: ['Stop-off', 'Stop off', 'Extra stop', 'Stop charge'] },
  { codes: ['LUM', 'UNL', 'UND', 'LDG', 'LOA'], names: ['Lumper', 'Lumper fee', 'Unloading', 'Loading'] },
  { codes: ['TON', 'TNU', 'VOR'], names: ['Truck ordered not used', 'TONU'] },
  { codes: ['LFT'], names: ['Lift gate', 'Liftgate'] },
  { codes: ['HAZ'], names: ['Hazardous material', 'Hazmat'] },
  { codes: ['RES', 'REP'], names: ['Residential', 'Residential delivery'] },
  { codes: ['IDL'], names: ['Inside delivery'] },
  { codes: ['APT', 'NFY'], names: ['Appointment', 'Notification'] },
  { codes: ['RCL'], names: ['Redelivery'] },
  { codes: ['RCC', 'RCD'], names: ['Reconsignment', 'Diversion'] },
  { codes: ['EXM'], names: ['Extra miles', 'Out-of-route miles'] },
  { codes: ['EXD'], names: ['Second driver', 'Team'] },
  { codes: ['LAB'], names: ['Extra labor', 'Labor'] },
  { codes: ['TAR'], names: ['Tarp', 'Tarping'] },
  { codes: ['CHN'], names: ['Chains and binders'] },
  { codes: ['REF'], names: ['Refrigeration', 'Reefer'] },
  { codes: ['PSC', 'PCH'], names: ['Temperature control', 'Protective service'] },
  { codes: ['BRD', 'TOL'], names: ['Tolls', 'Toll', 'Bridge toll'] },
  { codes: ['PER'], names: ['Permit', 'Permits'] },
  { codes: ['OVR'], names: ['Oversize', 'Over-dimensional'] },
  { codes: ['SCL'], names: ['Scale', 'Scale ticket'] },
  { codes: ['SRG', 'STR'], names: ['Storage'] },
  { codes: ['CUS'], names: ['Customs', 'Border crossing'] },
  { codes: ['EXP'], names: ['Expedited', 'Expedite'] },
  { codes: ['SAT', 'HOL'], names: ['Weekend or holiday', 'Weekend delivery'] },
  { codes: ['BOB'], names: ['Bobtail'] },
  { codes: ['SEC'], names: ['Special equipment'] },
  { codes: ['SSF'], names: ['Single shipment'] },
  { codes: ['PUC'], names: ['Pickup'] },
  { codes: ['DEL'], names: ['Delivery'] },
  { codes: ['BYD'], names: ['Beyond'] },
  { codes: ['INS'], names: ['Insurance'] },
  { codes: ['ADV'], names: ['Advance'] },
  { codes: ['DSC'], names: ['Discount'] },
  { codes: ['MSG'], names: ['Miscellaneous', 'Other'] },
]

/** Those that are taxes. Some are in use without being in the list of the standard. */
const taxes: readonly Meaning[] = [
  { codes: ['GST'], names: ['GST', 'Goods and services tax'] },
  { codes: ['HST'], names: ['HST', 'Harmonized sales tax'] },
  { codes: ['PST'], names: ['PST', 'Provincial sales tax'] },
  { codes: ['QST', 'TVQ'], names: ['QST', 'Quebec sales tax'] },
  { codes: ['IVA', 'VAT', '750'], names: ['VAT', 'Value-added tax', 'IVA'] },
  { codes: ['SST', 'SSX', 'STX', 'LLS', 'CBX', 'PPT'], names: ['Sales tax', 'Tax'] },
  { codes: ['335', '340', 'FAB'], names: ['Excise tax', 'Tax'] },
  { codes: ['TAX', 'TAD', 'TTM', 'TAY', 'TTL', 'TTS', 'UUT', 'CGT'], names: ['Tax'] },
]

const meanings: readonly Meaning[] = [...charges, ...taxes]

export function isTax(code: string | null): boolean {
  return taxes.some(({ codes }) => codes.includes(code ?? ''))
}

/** What a code means, in words; null where it is not known. */
export function meaningOf(code: string | null): string | null {
  return meanings.find(({ codes }) => codes.includes(code ?? ''))?.names[0] ?? null
}

/**
 * The bill item type of a charge: one whose external id or name is the code itself, one that is called what the code means, or what the carrier calls the
 * charge. A charge without a code is the freight. Null where the organization has none of these.
 */
export function typeOfCharge({ code, description }: Charge, types: readonly KnownType[]): string | null {
  const meaning = meanings.find(({ codes }) => codes.includes(code ?? '400'))
  const byCode = types.find(
    ({ name, external_id }) => code !== null && [name, external_id].some((one) => one?.toUpperCase() === code),
  )
  const wanted = [...(code === null ? [description] : []), ...(meaning?.names ?? []), description].flatMap(
    (name) => name?.toLowerCase() ?? [],
  )
  const byName = wanted.flatMap((wish) => types.find(({ name }) => name.toLowerCase() === wish) ?? [])
  return (byCode ?? byName[0])?.name ?? null
}

/** What a charge is called for people. */
export function nameOfCharge({ code, description }: Charge): string | null {
  return description ?? meaningOf(code) ?? (code && `Charge ${code}`)
}
