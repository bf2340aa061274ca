import { createConnection } from '../../integrations/accounting/connections/actions.ts'
import { setMappings } from '../../integrations/accounting/mappings/actions.ts'
import type { Context } from '../../platform/context.ts'
import { openVault } from '../../platform/vault/vault.ts'
import type { Settings } from '../../settings.ts'
import type { Payee } from './moving/freight.ts'

const accounts = '7'

/** QuickBooks waits for somebody to sign in, most of its mappings made, so that the check has something to say; a file can be made at once. */
export async function fillConnections(
  ctx: Context,
  settings: Settings,
  carriers: readonly Payee[],
  terms: ReadonlyMap<string, string>,
): Promise<void> {
  const vault = openVault(settings)
  const { id } = await createConnection(ctx, vault, {
    connector_id: 'quickbooks_online',
    name: 'QuickBooks of Blue Ridge',
    settings: { client_id: 'ABdemoBlueRidge', expense_account: accounts },
  })
  await setMappings(ctx, id, [
    ...carriers.slice(0, -1).map((carrier, index) => ({
      kind: 'partner_carriers' as const,
      record_id: carrier.id,
      remote_id: String(56 + index),
      remote_name: carrier.company,
    })),
    ...[...terms].map(([name, record_id], index) => ({
      kind: 'pay_terms' as const,
      record_id,
      remote_id: String(3 + index),
      remote_name: name,
    })),
  ])
  await createConnection(ctx, vault, { connector_id: 'csv', name: 'Table for the bookkeeper' })
}
