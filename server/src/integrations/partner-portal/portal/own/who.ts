import { type Context, withoutLimits } from '../../../../platform/context.ts'
import { forbidden, Refusal } from '../../../../platform/core/refusal.ts'
import { isId } from '../../../../platform/core/values/ids.ts'
import { findPartnerOfLink, findPartnerOfUser } from './who-store.ts'

/** Who asks in the portal: a carrier, and with a signed link no more than one of its records. First argument of all that the portal does. */
export type Partner = {
  readonly ctx: Context
  readonly carrier: string
  readonly carrierName: string
  readonly organization: string
  /** What the person is called; null where a link was opened. */
  readonly name: string | null
  readonly link: {
    readonly id: string
    readonly manifest: string | null
    readonly bill: string | null
    readonly expires_at: Date
  } | null
}

/**
 * Read with every request: whoever was given another carrier, or whose link was revoked, is refused from then on. The context has no limits of scopes and
 * rights, because none of them says what a carrier may do: what the portal lets it reach decides.
 */
export async function partnerOf(ctx: Context): Promise<Partner> {
  const { type, id } = ctx.actor
  const isLink = type === 'link'
  const known = !isId(id)
    ? undefined
    : isLink
      ? await findPartnerOfLink(ctx, id)
      : type === 'user'
        ? await findPartnerOfUser(ctx, id)
        : undefined
  if (!known)
    throw isLink
      ? new Refusal('gone', 'link_gone', 'This link is not valid any more. Ask whoever sent it for a new one.')
      : forbidden(
          'no_carrier_of_user',
          'Your account belongs to no carrier any more. Ask the organization that invited you.',
        )
  const { carrier, carrier_name, organization, name, manifest_id: manifest, bill_id: bill, expires_at } = known
  return {
    ctx: withoutLimits(ctx),
    carrier,
    carrierName: carrier_name,
    organization,
    name,
    link: isLink ? { id, manifest, bill, expires_at: expires_at as Date } : null,
  }
}

/** The same in a transaction of the context. */
export function withContext(partner: Partner, ctx: Context): Partner {
  return { ...partner, ctx }
}
