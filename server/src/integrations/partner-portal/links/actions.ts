import { actorId } from '../../../platform/access/acting/acting.ts'
import { revoke } from '../../../platform/access/tokens/revocations.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, invalid, notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../../platform/core/schema/revisions.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { record } from '../../../platform/events/record.ts'
import { recordSecurity } from '../../../platform/security-log/record.ts'
import { requireBill, requireCarrier, requireManifest } from '../carriers/lookup.ts'
import { usualLinkSeconds } from '../durations.ts'
import type { NewPortalLink } from './model.ts'
import { hashOf, newSecret } from './secrets.ts'
import { findLink, insertLink, isOffered, lockLink, saveRevoked } from './store.ts'

/** `secret` is the part of the link that opens it, which is shown this once. */
export type CreatedLink = WireRecord & { id: string; secret: string }

export function createLink(ctx: Context, input: NewPortalLink): Promise<CreatedLink> {
  return transaction(ctx, async (ctx) => {
    const manifest_id = input.manifest_id?.toLowerCase() ?? null
    const bill_id = input.bill_id?.toLowerCase() ?? null
    if ((manifest_id === null) === (bill_id === null))
      throw invalid(
        manifest_id ? 'bill_id' : 'manifest_id',
        'one_record',
        'A link shows one record: send "manifest_id" or "bill_id", and not both.',
      )
    const asked = input.partner_carrier_id?.toLowerCase() ?? null
    const partner_carrier_id = manifest_id
      ? await carrierOfManifest(ctx, manifest_id, asked)
      : await carrierOfBill(ctx, bill_id as string, asked)
    const carrier = await requireCarrier(ctx, partner_carrier_id)
    const id = newId()
    const secret = newSecret(ctx.org)
    const made = {
      id,
      manifest_id,
      bill_id,
      partner_carrier_id,
      created_by: await actorId(ctx),
      token_sha256: hashOf(secret),
    }
    await insertLink(ctx, made, input.expires_in ?? usualLinkSeconds)
    await recordSecurity(ctx, {
      type: 'portal_link.created',
      summary: `Made a link for the carrier ${carrier.name} that opens the ${recordOf(made)}.`,
    })
    return { id, secret, ...(await recordLink(ctx, 'created', id)) }
  })
}

/** When this is answered, no process accepts the link or a token that it was exchanged for. */
export function revokeLink(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const link = await lockLink(ctx, id)
    if (!link) throw notFound('link', id)
    requireExpected(expected, link.revision)
    // Tokens of the link name it as their grant, which never comes back.
    await revoke(ctx, 'grant', id)
    if (link.state === 'revoked') return
    await saveRevoked(ctx, id, await actorId(ctx))
    await recordSecurity(ctx, {
      type: 'portal_link.revoked',
      summary: `Revoked the link ${id}, which opened the ${recordOf(link)}.`,
    })
    await recordLink(ctx, 'revoked', id, { state: link.state, revoked_at: null })
  })
}

function recordOf({ manifest_id, bill_id }: { manifest_id: string | null; bill_id: string | null }): string {
  return manifest_id ? `manifest ${manifest_id}` : `bill ${bill_id}`
}

/** The carrier of a manifest, or one that it is offered to. */
async function carrierOfManifest(ctx: Context, id: string, asked: string | null): Promise<string> {
  const { carrier, full_id } = await requireManifest(ctx, id)
  const meant = asked ?? carrier
  if (!meant)
    throw conflict(
      'no_carrier',
      `The manifest ${full_id} has no carrier. Say with "partner_carrier_id" to which of the carriers that it is offered to.`,
    )
  if (meant !== carrier && !(await isOffered(ctx, id, meant)))
    throw invalid(
      'partner_carrier_id',
      'other_carrier',
      `The manifest ${full_id} is neither this carrier’s nor offered to it.`,
    )
  return meant
}

async function carrierOfBill(ctx: Context, id: string, asked: string | null): Promise<string> {
  const { carrier, status_id, voided } = await requireBill(ctx, id)
  if (status_id === 'draft' || voided)
    throw conflict('bill_not_shown', 'Carriers see neither drafts nor voided bills, so such a bill has no link.')
  if (!carrier) throw conflict('no_carrier', 'The bill has no carrier, so there is nobody to show it to.')
  if (asked && asked !== carrier) throw invalid('partner_carrier_id', 'other_carrier', 'The bill is another carrier’s.')
  return carrier
}

async function recordLink(
  ctx: Context,
  verb: 'created' | 'revoked',
  id: string,
  previous?: Record<string, unknown>,
): Promise<WireRecord> {
  const found = await findLink(ctx, id)
  if (!found) throw new Error(`link ${id} is missing within its own transaction`)
  const { revision, json } = found
  await record(ctx, {
    type: `portal_link.${verb}`,
    subject: { type: 'portal_link', id },
    revision,
    data: json,
    ...(previous && { previous }),
  })
  return { revision, json }
}
