import { requireCurrencies } from '../../books/currencies/known.ts'
import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { idOfName } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { type BankDetailsBody, isAsShown, maskedDetails, normalDetails } from '../bank-details/model.ts'
import { type PayingAccountBody, requireAccount } from './model.ts'
import { deleteAccount, findAccount, type KeptAccount, lockAccount, saveAccount } from './store.ts'

/** Makes the account of a currency, or changes the one that is there. */
export function setAccount(
  ctx: Context,
  vault: Vault,
  currency: string,
  input: PayingAccountBody,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    await requireCurrencies(ctx, [currency], 'currencyID')
    const current = await lockAccount(ctx, currency)
    if (current) requireExpected(expected, current.revision)
    const sent = input.bank_details as BankDetailsBody | undefined
    if (!current && (!sent || !input.name))
      throw invalid('bank_details', 'required', 'A new paying account needs "name" and "bank_details".')
    const next = {
      currency_id: currency,
      name: input.name ?? (current?.name as string),
      company_id: input.company_id === undefined ? (current?.company_id ?? null) : input.company_id,
      ach_file: input.ach_file ?? current?.ach_file ?? 'nacha',
      ...detailsOf(ctx, vault, currency, current, sent),
    }
    const isSame =
      current &&
      (['name', 'company_id', 'ach_file', 'sealed'] as const).every((field) => current[field] === next[field])
    if (!isSame) {
      await saveAccount(ctx, { ...next, by: await actorId(ctx) })
      await recordAccount(ctx, current ? 'updated' : 'created', currency)
    }
    return readBack(ctx, currency)
  })
}

export function removeAccount(ctx: Context, currency: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lockAccount(ctx, currency)
    if (!current) throw notFound('paying account', currency)
    requireExpected(expected, current.revision)
    await recordAccount(ctx, 'deleted', currency)
    await deleteAccount(ctx, currency)
  })
}

/** The account as it is kept, for a run that is paid from it. */
export function accountOf(ctx: Context, currency: string): Promise<KeptAccount | undefined> {
  return lockAccount(ctx, currency)
}

function detailsOf(
  ctx: Context,
  vault: Vault,
  currency: string,
  current: KeptAccount | undefined,
  sent: BankDetailsBody | undefined,
) {
  const owner = { org: ctx.org, id: currency }
  if (current && (!sent || isAsShown(sent, current.bank_details)))
    return { bank_details: current.bank_details, sealed: current.sealed }
  const details = normalDetails(sent as BankDetailsBody)
  requireAccount(details)
  const same = current && JSON.stringify(vault.open(owner, current.sealed)) === JSON.stringify(details)
  return { bank_details: maskedDetails(details), sealed: same ? current.sealed : vault.seal(owner, details) }
}

/** An account has no id of its own: its events are found by one that is made from its currency. */
async function recordAccount(ctx: Context, verb: string, currency: string): Promise<void> {
  const { revision, json } = await readBack(ctx, currency)
  await record(ctx, {
    type: `paying_account.${verb}`,
    subject: { type: 'paying_account', id: idOfName(`${ctx.org} ${currency}`) },
    revision,
    data: json,
  })
}

async function readBack(ctx: Context, currency: string): Promise<WireRecord> {
  return (await findAccount(ctx, currency)) as WireRecord
}
