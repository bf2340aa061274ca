import type { FreightLine } from './freight-invoice.ts'

export type KnownType = { name: string; external_id: string | null }

/** What codes of special charges (X12 element 150) mean, and what bill item types for it are commonly called. The first name is for people. */
const meanings: readonly { codes: readonly string[]; names: readonly string[] }[] = [
  { codes: ['400', 'LHS', 'LHC'], names: ['Line haul', 'Linehaul', 'Freight', 'Freight charge'] },
  { codes: ['405', 'FUE', 'FSC', 'FUS'], names: ['Fuel surcharge', 'Fuel', 'Fuel charge', 'FSC'] },
  { codes: ['DET', 'DTL', 'DTU', 'DTN'], names: ['Detention', 'Detention charge', 'Waiting time'] },
  { codes: ['LAY', 'LYC'], names: ['Layover'] },
  { codes: ['SOC', 'STO'], names: ['Stop-off', 'Stop off', 'Extra stop', 'Stop charge'] },
  { codes: ['LUM', 'UNL', 'LDG'], names: ['Lumper', 'Lumper fee', 'Unloading', 'Loading'] },
  { codes: ['TON', 'TNU'], names: ['Truck ordered not used', 'TONU'] },
  { codes: ['LFT'], names: ['Lift gate', 'Liftgate'] },
  { codes: ['HAZ'], names: ['Hazardous material', 'Hazmat'] },
]

/**
 * The bill item type of a charge: one whose external id or name is the code itself, one that is called what the code means, or what the carrier calls the
 * charge. A charge without a code is the freight. Null where the organization has none of these.
 */
export function typeOfCharge({ code, description }: Pick<FreightLine, 'code' | 'description'>, types: readonly KnownType[]): string | null {
  const meaning = meanings.find(({ codes }) => codes.includes(code ?? '400'))
  const byCode = types.find(({ name, external_id }) => code !== null && [name, external_id].some((one) => one?.toUpperCase() === code))
  const wanted = [...(code === null ? [description] : []), ...(meaning?.names ?? []), description].flatMap((name) => name?.toLowerCase() ?? [])
  const byName = wanted.flatMap((wish) => types.find(({ name }) => name.toLowerCase() === wish) ?? [])
  return (byCode ?? byName[0])?.name ?? null
}

/** What a charge is called for people. */
export function nameOfCharge({ code, description }: Pick<FreightLine, 'code' | 'description'>): string | null {
  const meaning = meanings.find(({ codes }) => codes.includes(code ?? ''))
  return description ?? meaning?.names[0] ?? (code && `Charge ${code}`)
}
