import type { Context } from '../context.ts'
import { numberIn, parseReference } from '../core/values/ids.ts'
import { unstorable } from '../core/values/storable.ts'
import { keyOf, type NamedRecord, type References } from '../http/input/references.ts'
import { kindOf, namedKind } from './kinds.ts'
import { findNamed } from './store.ts'

/** Records named by `ext:<external_id>`, or by their number, where bodies and filters ask for an id. */
export const references: References = { kindOf, find }

type Read = NamedRecord & ({ externalId: string } | { number: number; full: string })

async function find(ctx: Context, named: readonly NamedRecord[]): Promise<ReadonlyMap<string, string>> {
  const read = named.flatMap(readName)
  const asked = [...new Set(read.map(({ kind }) => kind))].map((kind) => {
    const own = read.filter((one) => one.kind === kind)
    const externalIds = own.flatMap((one) => ('externalId' in one ? [one.externalId] : []))
    return {
      kind,
      is: namedKind(kind),
      externalIds,
      numbers: own.flatMap((one) => ('number' in one ? [one.number] : [])),
    }
  })
  const found = new Map<string, string>()
  for (const { kind, external_id, number, full_id, id } of await findNamed(ctx, asked)) {
    if (external_id !== null) found.set(`${kind} ext:${external_id}`, id)
    if (number !== null) found.set(`${kind} ${full_id ?? number}`, id)
  }
  return new Map(
    read.flatMap((one) => {
      const id = found.get('externalId' in one ? `${one.kind} ext:${one.externalId}` : `${one.kind} ${one.full}`)
      return id === undefined ? [] : [[keyOf(one), id] as const]
    }),
  )
}

/** What a text names; nothing where it is in none of the forms that its kind has. */
function readName({ kind, text }: NamedRecord): Read[] {
  const is = namedKind(kind)
  const reference = parseReference(text)
  if (reference?.by === 'external_id')
    return unstorable(text) ? [] : [{ kind, text, externalId: reference.external_id }]
  const written = numberIn(text)
  if (!written) return []
  const { prefix, number } = written
  if ('objectKey' in is) return [{ kind, text, number, full: `${prefix}-${number}` }]
  return is.prefix === prefix ? [{ kind, text, number, full: String(number) }] : []
}
