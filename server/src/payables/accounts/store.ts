import type { Context } from '../../platform/context.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { BankDetails } from '../bank-details/model.ts'
import type { PayingAccount } from './model.ts'

export async function listAccounts(ctx: Context): Promise<string> {
  const [row] = await ctx.run<{ list: string }>(
    sql`select '[' || coalesce(string_agg(json, ',' order by currency_id), '') || ']' as list from paying_accounts_wire where org_id = ${ctx.org}`,
  )
  return row?.list ?? '[]'
}

export async function findAccount(ctx: Context, currency: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from paying_accounts_wire where org_id = ${ctx.org} and currency_id = ${currency}`,
  )
  return row
}

export type KeptAccount = PayingAccount & { sealed: string }

export async function lockAccount(ctx: Context, currency: string): Promise<KeptAccount | undefined> {
  const [row] = await ctx.run<{ sealed: string }>(
    sql`select bank_details_sealed as sealed from paying_accounts where org_id = ${ctx.org} and currency_id = ${currency} for update`,
  )
  const found = row && (await findAccount(ctx, currency))
  return found && { ...JSON.parse(found.json), sealed: row.sealed }
}

type Content = Pick<PayingAccount, 'currency_id' | 'name' | 'company_id' | 'ach_file'> & {
  bank_details: BankDetails
  sealed: string
  by: string
}

export async function saveAccount(
  ctx: Context,
  { currency_id, name, company_id, ach_file, bank_details, sealed, by }: Content,
): Promise<void> {
  await ctx.run(sql`
    insert into paying_accounts as a (org_id, currency_id, name, bank_details_sealed, bank_details_masked, company_id, ach_file, created_by)
    values (${ctx.org}, ${currency_id}, ${name}, ${sealed}, ${JSON.stringify(bank_details)}::text::jsonb, ${company_id}, ${ach_file}, ${by})
    on conflict (org_id, currency_id) do update set name = excluded.name, bank_details_sealed = excluded.bank_details_sealed,
      bank_details_masked = excluded.bank_details_masked, company_id = excluded.company_id, ach_file = excluded.ach_file, revision = a.revision + 1,
      updated_at = excluded.updated_at`)
}

export async function deleteAccount(ctx: Context, currency: string): Promise<void> {
  await ctx.run(sql`delete from paying_accounts where org_id = ${ctx.org} and currency_id = ${currency}`)
}
