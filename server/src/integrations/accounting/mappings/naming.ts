import type { Context } from '../../../platform/context.ts'
import { isId } from '../../../platform/core/values/ids.ts'
import { resolve } from '../../../platform/http/input/references.ts'
import { references } from '../../../platform/references/references.ts'
import { mostMappings } from './kept/model.ts'

/** The kinds of records that have names besides their ids. */
const namedKinds: Partial<Record<string, string>> = {
  bill_items: 'bill_item_type',
  invoice_items: 'bill_item_type',
  partner_carriers: 'partner_carrier',
  customers: 'customer',
}

/** Puts ids in the place of the other names of records, in what was sent and is not checked yet. What names nothing stays as it is. */
export async function nameMapped(ctx: Context, body: unknown): Promise<void> {
  const { mappings } = (body ?? {}) as { mappings?: unknown }
  if (!Array.isArray(mappings)) return
  const places = mappings.slice(0, mostMappings).flatMap((holder) => {
    const { kind, record_id: text } = (holder ?? {}) as { kind?: unknown; record_id?: unknown }
    const named = typeof kind === 'string' ? namedKinds[kind] : undefined
    return named && typeof text === 'string' && !isId(text) ? [{ holder, key: 'record_id', kind: named, text }] : []
  })
  if (places.length > 0) await resolve(ctx, places, references)
}
