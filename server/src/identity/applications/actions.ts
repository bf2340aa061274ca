import { randomBytes } from 'node:crypto'
import { applicationIdOf } from '../../platform/access/acting/acting.ts'
import { newIdWithin } from '../../platform/access/organization-ids.ts'
import { awaitRevocation, revoke } from '../../platform/access/tokens/revocations.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { recordSecurity } from '../../platform/security-log/record.ts'
import { hashSecret } from './clients.ts'
import {
  type ApplicationEdit,
  edit,
  type NewApplication,
  type OAuthApplication,
  validate,
  withDefaults,
} from './model.ts'
import {
  deleteApplication,
  expireSecrets,
  findApplication,
  insertApplication,
  insertSecret,
  lockApplication,
  saveApplication,
} from './store.ts'

/** The secret is in this answer and nowhere else: what is stored is its hash. */
export type ApplicationWithSecret = WireRecord & { id: string; client_id: string; client_secret: string | null }

export function createApplication(ctx: Context, input: NewApplication): Promise<ApplicationWithSecret> {
  const content = withDefaults(input)
  validate(content)
  return transaction(ctx, async (ctx) => {
    const id = newId()
    const client_id = newIdWithin(ctx.org)
    await insertApplication(ctx, id, client_id, content)
    const client_secret = content.type === 'confidential' ? await addSecret(ctx, id) : null
    const created = await readBack(ctx, id)
    await record(ctx, {
      type: 'oauth_application.created',
      subject: { type: 'oauth_application', id },
      revision: created.revision,
      data: created.json,
    })
    await recordSecurity(ctx, {
      type: 'oauth_application.created',
      client: client_id,
      summary: `Created the application ${content.name}.`,
    })
    return { ...created, id, client_id, client_secret }
  })
}

export function updateApplication(
  ctx: Context,
  id: string,
  input: ApplicationEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const { changes, previous } = edit(current, input)
    if (Object.keys(changes).length === 0) {
      await awaitRevocation(ctx, 'application', current.client_id)
      return readBack(ctx, id)
    }
    const next = { ...current, ...changes }
    validate(next)
    await saveApplication(ctx, next)
    // Tokens carry the scopes they were given: one that was given more than is allowed now must not live on.
    const lost = current.scopes.some((scope) => !next.scopes.includes(scope)) || current.access !== next.access
    if (lost) await revoke(ctx, 'application', current.client_id)
    const updated = await readBack(ctx, id)
    await record(ctx, {
      type: 'oauth_application.updated',
      subject: { type: 'oauth_application', id },
      revision: updated.revision,
      data: updated.json,
      previous,
    })
    const changed = Object.keys(changes).join(', ')
    await recordSecurity(ctx, {
      type: 'oauth_application.updated',
      client: current.client_id,
      summary: `Changed the application ${current.name}: ${changed.replaceAll('_', ' ')}.`,
    })
    return updated
  })
}

/** Changes where people come back to; nothing where the application is gone. */
export function changeRedirectUris(
  ctx: Context,
  client_id: string,
  change: (uris: readonly string[]) => string[],
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const id = await applicationIdOf(ctx, client_id)
    if (id === undefined) return
    const { redirect_uris } = await lock(ctx, id, null)
    await updateApplication(ctx, id, { redirect_uris: change(redirect_uris) }, null)
  })
}

/** No request of it that begins after the answer succeeds, on any process. What people allowed it is kept: its refresh tokens work again once it is enabled. */
export function disableApplication(ctx: Context, id: string, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    if (current.disabled_at) {
      await awaitRevocation(ctx, 'application', current.client_id)
      return readBack(ctx, id)
    }
    await revoke(ctx, 'application', current.client_id)
    return switchApplication(
      ctx,
      current,
      'oauth_application.disabled',
      new Date().toISOString(),
      `Disabled the application ${current.name}.`,
    )
  })
}

export function enableApplication(ctx: Context, id: string, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    if (!current.disabled_at) return readBack(ctx, id)
    return switchApplication(
      ctx,
      current,
      'oauth_application.enabled',
      null,
      `Enabled the application ${current.name}.`,
    )
  })
}

/** Its secrets go, and every token it ever got is refused. */
export function removeApplication(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    await deleteApplication(ctx, current)
    await revoke(ctx, 'application', current.client_id)
    await record(ctx, {
      type: 'oauth_application.deleted',
      subject: { type: 'oauth_application', id },
      revision: current.revision,
      data: JSON.stringify(current),
    })
    await recordSecurity(ctx, {
      type: 'oauth_application.deleted',
      client: current.client_id,
      summary: `Deleted the application ${current.name}.`,
    })
  })
}

export function rotateSecret(ctx: Context, id: string, overlapSeconds: number): Promise<ApplicationWithSecret> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, null)
    if (current.type === 'public') throw invalid('type', 'no_secret', 'A public application has no secret to rotate.')
    await expireSecrets(ctx, id, overlapSeconds)
    const client_secret = await addSecret(ctx, id)
    await saveApplication(ctx, current)
    const rotated = await readBack(ctx, id)
    await record(ctx, {
      type: 'oauth_application.secret_rotated',
      subject: { type: 'oauth_application', id },
      revision: rotated.revision,
      data: rotated.json,
    })
    const old = overlapSeconds === 0 ? 'The old one is void' : `The old one is good for ${overlapSeconds} s more`
    await recordSecurity(ctx, {
      type: 'oauth_application.secret_rotated',
      client: current.client_id,
      summary: `Made a new secret for the application ${current.name}. ${old}.`,
    })
    return { ...rotated, id, client_id: current.client_id, client_secret }
  })
}

async function switchApplication(
  ctx: Context,
  current: OAuthApplication,
  type: 'oauth_application.disabled' | 'oauth_application.enabled',
  disabled_at: string | null,
  summary: string,
): Promise<WireRecord> {
  const { id, client_id } = current
  await saveApplication(ctx, { ...current, disabled_at })
  const changed = await readBack(ctx, id)
  const previous = { disabled_at: current.disabled_at }
  await record(ctx, {
    type,
    subject: { type: 'oauth_application', id },
    revision: changed.revision,
    data: changed.json,
    previous,
  })
  await recordSecurity(ctx, { type, client: client_id, summary })
  return changed
}

async function addSecret(ctx: Context, application: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await insertSecret(ctx, application, hashSecret(secret))
  return secret
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<OAuthApplication> {
  const current = await lockApplication(ctx, id)
  if (!current) throw notFound('OAuth application', id)
  requireExpected(expected, current.revision)
  return current
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findApplication(ctx, id)
  if (!found) throw new Error(`application ${id} is gone within its own transaction`)
  return found
}
