import { mapPayTerm } from '../../../books/pay-terms/actions.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { type Detail, invalidAll, quote } from '../../../platform/core/refusal.ts'
import type { MappingKind } from '../catalogue.ts'
import { lockExpected, recordConnection, requireConnector } from '../connections/actions.ts'
import type { KeptConnection } from '../connections/model.ts'
import type { SentMapping } from './kept/model.ts'
import { deleteMappings, listMapped, type Row, saveMappings } from './store.ts'

/** Sets what records are there; answers these mappings as they are now. Those of pay terms are kept with the pay terms. */
export function setMappings(ctx: Context, id: string, sent: readonly SentMapping[]): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const connection = await lockExpected(ctx, id, null)
    requireKinds(connection, sent)
    const byKind = [...Map.groupBy(sent.map(normal), ({ kind }) => kind)].sort(([one], [other]) =>
      one < other ? -1 : 1,
    )
    const before: unknown[] = []
    for (const [kind, mappings] of byKind) {
      const found = await listMapped(ctx, connection, kind, idsOf(mappings))
      requireRecords(kind, mappings, sent, new Set(found.map((one) => one.id)))
      before.push(...found.map(({ json }) => JSON.parse(json)))
      await save(ctx, connection, kind, mappings)
    }
    const after: unknown[] = []
    for (const [kind, mappings] of byKind)
      after.push(...(await listMapped(ctx, connection, kind, idsOf(mappings))).map(({ json }) => JSON.parse(json)))
    await recordConnection(ctx, 'mapped', id, { mappings: before }, { mappings: after })
    return JSON.stringify(after)
  })
}

async function save(
  ctx: Context,
  { id, connector_id }: KeptConnection,
  kind: MappingKind,
  mappings: readonly SentMapping[],
): Promise<void> {
  if (kind === 'pay_terms') {
    for (const { record_id, remote_id } of mappings) await mapPayTerm(ctx, record_id, connector_id, remote_id)
    return
  }
  // Of one that is named twice the last counts.
  const rows = new Map(mappings.map((mapping) => [mapping.record_id, mapping]))
  const set = [...rows.values()].flatMap(({ record_id, remote_id, remote_name }): Row[] =>
    remote_id === null ? [] : [{ record_id, remote_id, remote_name: remote_name ?? null }],
  )
  const unset = [...rows.values()].filter(({ remote_id }) => remote_id === null)
  if (set.length > 0) await saveMappings(ctx, id, kind, set)
  if (unset.length > 0) await deleteMappings(ctx, id, kind, idsOf(unset))
}

function requireKinds(connection: KeptConnection, sent: readonly SentMapping[]): void {
  const connector = requireConnector(connection)
  const allowed = connector.mappings.map(({ kind }) => kind)
  const wrong = sent.flatMap(({ kind }, index): Detail[] => {
    if (allowed.includes(kind)) return []
    const message = `${connector.name} has no mappings of ${quote(kind)}. It has ${allowed.join(', ')}.`
    return [{ field: `mappings[${index}].kind`, code: 'not_mappable', message, allowed }]
  })
  if (wrong.length > 0) throw invalidAll(wrong)
}

function requireRecords(
  kind: MappingKind,
  mappings: readonly SentMapping[],
  sent: readonly SentMapping[],
  there: ReadonlySet<string>,
): void {
  const wrong = mappings
    .filter(({ record_id }) => !there.has(record_id))
    .map(({ record_id }): Detail => {
      const index = sent.findIndex((one) => one.kind === kind && one.record_id.toLowerCase() === record_id)
      return {
        field: `mappings[${index}].record_id`,
        code: 'unknown_record',
        message: `There is no ${quote(record_id)} among the ${kind} of this organization.`,
      }
    })
  if (wrong.length > 0) throw invalidAll(wrong)
}

function normal(mapping: SentMapping): SentMapping {
  return { ...mapping, record_id: mapping.record_id.toLowerCase() }
}

function idsOf(mappings: readonly SentMapping[]): string[] {
  return [...new Set(mappings.map(({ record_id }) => record_id))]
}
