import type { Context } from '../../../platform/context.ts'
import { invalid, quote } from '../../../platform/core/refusal.ts'
import { findBillCarrier, type HeldManifest, holdCarrier, lockManifest } from './store.ts'

export type { HeldManifest }

/** Inside a transaction: the carrier that a field names. */
export async function requireCarrier(ctx: Context, id: string): Promise<{ name: string; email: string | null }> {
  const carrier = await holdCarrier(ctx, id)
  if (!carrier)
    throw invalid(
      'partner_carrier_id',
      'unknown_partner_carrier',
      `There is no partner carrier ${quote(id)} in this organization.`,
    )
  return carrier
}

/** Inside a transaction: the manifest that a field names, locked. Whatever decides who its carrier is locks it first. */
export async function requireManifest(ctx: Context, id: string): Promise<HeldManifest> {
  const manifest = await lockManifest(ctx, id)
  if (!manifest)
    throw invalid('manifest_id', 'unknown_manifest', `There is no manifest ${quote(id)} in this organization.`)
  return manifest
}

export async function requireBill(
  ctx: Context,
  id: string,
): Promise<{ carrier: string | null; status_id: string; voided: boolean }> {
  const bill = await findBillCarrier(ctx, id)
  if (!bill) throw invalid('bill_id', 'unknown_bill', `There is no bill ${quote(id)} in this organization.`)
  return bill
}

/** The same, or nothing where it was deleted. */
export function findManifest(ctx: Context, id: string): Promise<HeldManifest | undefined> {
  return lockManifest(ctx, id)
}
