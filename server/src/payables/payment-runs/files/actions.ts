import { minorUnits } from '../../../books/currencies/known.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/core/refusal.ts'
import { recordSecurity } from '../../../platform/security-log/record.ts'
import type { Vault } from '../../../platform/vault/vault.ts'
import type { PayoutMethod } from '../../bank-details/model.ts'
import { csvFile } from './csv-file.ts'
import type { FileFormat, IssuedRun } from './model.ts'
import { nachaFile } from './nacha.ts'
import { pain001File } from './pain001.ts'
import { findIssued, type IssuedRow, keepAccount } from './store.ts'

const makers: Record<FileFormat, { make: (run: IssuedRun) => string; type: string; ending: string }> = {
  nacha: { make: nachaFile, type: 'text/plain; charset=us-ascii', ending: 'ach' },
  pain001: { make: pain001File, type: 'application/xml', ending: 'xml' },
  csv: { make: csvFile, type: 'text/csv; charset=utf-8', ending: 'csv' },
}

export type MadeFile = { text: string; type: string; name: string }

/** A file of an issued run, made anew from what was issued each time it is asked for. Who has asked is in the security log. */
export function fileOfRun(ctx: Context, vault: Vault, id: string, format: FileFormat): Promise<MadeFile> {
  return transaction(ctx, async (ctx) => {
    // A run that is paid from no account yet keeps the one of its first bank file.
    if (format !== 'csv') await keepAccount(ctx, id)
    const row = await findIssued(ctx, id)
    if (!row) throw notFound('payment run', id)
    if (row.issued_at === null)
      throw conflict('run_not_issued', 'This payment run is not issued yet, so there is nothing to pay.')
    const { make, type, ending } = makers[format]
    const text = make(await issuedRun(ctx, vault, row, row.issued_at))
    await recordSecurity(ctx, {
      type: 'payment_run.downloaded',
      summary: `Downloaded the ${format} file of the payment run ${row.number}, which has bank details.`,
    })
    return { text, type, name: `${row.number}.${ending}` }
  })
}

async function issuedRun(ctx: Context, vault: Vault, row: IssuedRow, issued_at: string): Promise<IssuedRun> {
  const { id, number, currency_id, pay_on, payments } = row
  const account = row.sealed
    ? {
        name: row.account_name as string,
        company_id: row.company_id,
        ach_file: row.ach_file as string,
        sealed: row.sealed,
      }
    : null
  return {
    ...{ id, number, currency_id, pay_on, issued_at, decimals: (await minorUnits(ctx)).get(currency_id) ?? 2 },
    account: account ? { ...account, details: vault.open({ org: ctx.org, id: currency_id }, account.sealed) } : null,
    payments: payments.map(({ payee_id, sealed, method, ...payment }) => ({
      ...payment,
      method: method as PayoutMethod,
      details: sealed ? vault.open({ org: ctx.org, id: payee_id }, sealed) : null,
    })),
  }
}
