import { minorUnits } from '../../books/currencies/known.ts'
import { type Context, together } from '../../platform/context.ts'
import { listAllPolicies } from '../audit-policies/lookup.ts'
import { policyFor, type Rule } from '../audit-policies/model.ts'
import { listRivals, listSameInvoices, listWithPod, type Rival } from './audit-store.ts'
import { bestOf, type Candidate, rank, textsOf } from './matching.ts'
import { listManifests, listNamed, listOpen } from './matching-store.ts'
import { makeBills } from './received/bills.ts'
import { listTypes } from './received/bills-store.ts'
import { type AgreedTrip, compare, judge } from './received/compare.ts'
import { type CarrierInvoice, taxIn } from './received/model.ts'
import { type AuditResult, recordInvoices, saveAudits } from './received/store.ts'
import { amountWriter } from './received/words.ts'

export type Counts = { matched: number; exception: number; received: number; billed: number }

/**
 * Matches, audits and, where the policy says so, bills these invoices, which the caller has locked and which are open. A handful of statements, however
 * many they are. With `bills` false none is billed: a person decides about it.
 */
export async function auditInvoices(
  ctx: Context,
  invoices: readonly CarrierInvoice[],
  { bills = true } = {},
): Promise<Counts> {
  if (invoices.length === 0) return { matched: 0, exception: 0, received: 0, billed: 0 }
  const [types, rules, units] = await together(listTypes(ctx), listAllPolicies(ctx), minorUnits(ctx))
  const names = new Map(types.map(({ id, name }) => [id, name]))
  const typeIds = new Map(types.map(({ id, name }) => [name, id]))
  const matches = await matchAll(ctx, invoices, names)
  const manifestIds = [...new Set([...matches.values()].flat())]
  const ids = invoices.map(({ id }) => id)
  const [manifests, same, rivals, withPod] = await together(
    listManifests(ctx, manifestIds, names),
    listSameInvoices(ctx, ids),
    listRivals(ctx, manifestIds),
    listWithPod(ctx, ids),
  )
  const byId = new Map(manifests.map((manifest) => [manifest.id, manifest]))
  const claims = claimsOf(invoices, matches, rivals)
  const results = invoices.map((invoice): AuditResult => {
    const manifest_ids = matches.get(invoice.id) ?? []
    const agreed = manifest_ids
      .flatMap((id) => byId.get(id) ?? [])
      .map((manifest) => withRival(manifest, claims.get(`${invoice.id} ${manifest.id}`)))
    const known = {
      agreed,
      typeIds,
      sameInvoice: same.get(invoice.id) ?? null,
      money: amountWriter(invoice.currency_id, units),
    }
    const comparison = compare({ ...auditedOf(invoice, names, typeIds), has_pod: withPod.has(invoice.id) }, known)
    const findings = judge(comparison, (typeId) => policyFor(rules, invoice.partner_carrier_id, typeId))
    const state = agreed.length === 0 ? 'received' : findings.length > 0 ? 'exception' : 'matched'
    return { id: invoice.id, manifest_ids: agreed.map(({ id }) => id), state, findings, comparison }
  })
  await saveAudits(ctx, results)
  await recordInvoices(
    ctx,
    invoices.map(({ id, state, findings, manifest_ids }) => ({
      type: 'carrier_invoice.audited',
      id,
      previous: { state, findings, manifest_ids },
    })),
  )
  const billed = bills ? await billClean(ctx, invoices, results, rules) : 0
  const count = (state: string) => results.filter((result) => result.state === state).length
  return { matched: count('matched') - billed, exception: count('exception'), received: count('received'), billed }
}

/** Which manifests each invoice is for: those it is matched with, or the one that it is for beyond doubt. */
async function matchAll(
  ctx: Context,
  invoices: readonly CarrierInvoice[],
  names: ReadonlyMap<string, string>,
): Promise<Map<string, string[]>> {
  const matched = new Map(
    invoices.filter(({ manifest_ids }) => manifest_ids.length > 0).map(({ id, manifest_ids }) => [id, manifest_ids]),
  )
  const open = invoices.filter(({ id }) => !matched.has(id))
  if (open.length === 0) return matched
  const named = await listNamed(
    ctx,
    open.flatMap(({ reference_number, invoice_number }) =>
      [reference_number, invoice_number].flatMap((text) => text?.trim() || []),
    ),
    names,
  )
  const byName = Map.groupBy(
    named.flatMap((one) =>
      [one.full_id, one.external_id, one.reference_number].flatMap((name) =>
        name ? [{ name: name.trim().toLowerCase(), one }] : [],
      ),
    ),
    ({ name }) => name,
  )
  for (const invoice of open) {
    const candidates = new Set(textsOf(invoice).flatMap((text) => (byName.get(text) ?? []).map(({ one }) => one)))
    const best = bestOf(rank(invoice, [...candidates]))
    if (best) matched.set(invoice.id, [best.manifest_id])
  }
  return matched
}

/** What an invoice may be for, for a person to choose from: what it names, and the open trips of its carrier. */
export async function proposalsFor(ctx: Context, invoice: CarrierInvoice) {
  const names = new Map((await listTypes(ctx)).map(({ id, name }) => [id, name]))
  const texts = [invoice.reference_number, invoice.invoice_number].flatMap((text) => text?.trim() || [])
  const [named, open] = await Promise.all([
    listNamed(ctx, texts, names),
    invoice.partner_carrier_id ? listOpen(ctx, [invoice.partner_carrier_id], names) : Promise.resolve([]),
  ])
  const candidates = new Map([...named, ...open].map((one): [string, Candidate] => [one.id, one]))
  return rank(invoice, [...candidates.values()]).slice(0, 20)
}

type Rivals = ReadonlyMap<string, readonly Rival[]>

/** By invoice and manifest: the number of another invoice for the same manifest that came before it, or of which it is decided that it is paid. */
function claimsOf(
  invoices: readonly CarrierInvoice[],
  matches: ReadonlyMap<string, readonly string[]>,
  rivals: Rivals,
): Map<string, string> {
  const claims = new Map<string, string>()
  const first = new Map<string, { id: string; invoice_number: string }>()
  for (const { id, invoice_number } of invoices.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    for (const manifest of matches.get(id) ?? []) {
      const rival = first.get(manifest) ?? rivals.get(manifest)?.find((other) => other.id < id || other.is_decided)
      if (rival) claims.set(`${id} ${manifest}`, rival.invoice_number)
      else first.set(manifest, { id, invoice_number })
    }
  }
  return claims
}

function withRival(manifest: AgreedTrip, rival: string | undefined): AgreedTrip {
  return rival && !manifest.billed_by ? { ...manifest, billed_by: `the carrier invoice ${rival}` } : manifest
}

function auditedOf(invoice: CarrierInvoice, names: ReadonlyMap<string, string>, typeIds: ReadonlyMap<string, string>) {
  const { partner_carrier_id, currency_id, total_amount, lines } = invoice
  const typed = lines.map((line) => {
    const type = line.type ? (names.get(line.type.toLowerCase()) ?? line.type.toLowerCase()) : null
    return { ...line, type, typeId: type === null ? null : (typeIds.get(type) ?? null) }
  })
  return { partner_carrier_id, currency_id, total_amount, lines: typed }
}

/** What is clean is billed where the policy of the carrier, or that of all, approves by itself. */
async function billClean(
  ctx: Context,
  invoices: readonly CarrierInvoice[],
  results: readonly AuditResult[],
  rules: readonly Rule[],
): Promise<number> {
  const clean = invoices.flatMap((invoice, index) => {
    const { state, manifest_ids, findings } = results[index] as AuditResult
    const { approve_automatically } = policyFor(rules, invoice.partner_carrier_id, null)
    // Whoever voided its bill had a reason, which an audit does not know.
    const wasVoided = invoice.decisions.some(({ decision }) => decision === 'void')
    // A tax that nobody agreed to is compared with nothing: a person looks at it.
    const isTaxed = (taxIn(invoice.lines) ?? 0) !== 0
    return state === 'matched' && approve_automatically && !wasVoided && !isTaxed
      ? [{ invoice: { ...invoice, state, manifest_ids, findings }, amount: invoice.total_amount, decided: [] }]
      : []
  })
  const made = await makeBills(ctx, clean)
  return made.filter(({ bill_id }) => bill_id !== null).length
}
