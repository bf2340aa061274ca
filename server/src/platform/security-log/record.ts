import { type Context, transaction } from '../context.ts'
import type { Database } from '../db/database.ts'
import { systemContext } from '../organizations/actions.ts'
import type { SecurityEventType } from './model.ts'
import { findUsersByAddress, insertSecurityEvent } from './store.ts'
import { visitor } from './visitor.ts'

/**
 * `user` is whom it concerns, `client` the application; where it concerns neither, those who did it, so that the log always names somebody. No summary quotes what somebody typed: it may be a password in the
 * wrong field.
 */
export type SecurityOccurrence = {
  type: SecurityEventType
  user?: string | undefined
  client?: string | undefined
  summary: string
}

/** Into the security log of the organization, in the caller's transaction, and into the log of the process. */
export async function recordSecurity(ctx: Context, happened: SecurityOccurrence): Promise<void> {
  await write(ctx, happened.user || happened.client ? happened : { ...doneBy(ctx.actor), ...happened }, ctx.actor)
}

function doneBy({ type, id, application_id }: Context['actor']): Pick<SecurityOccurrence, 'user' | 'client'> {
  if (type === 'user') return { user: id, client: application_id }
  return type === 'application' ? { client: id } : {}
}

/** By a person who acts on a page: they have no token, so the context has no actor. */
export async function recordByUser(
  ctx: Context,
  user: string,
  happened: Omit<SecurityOccurrence, 'user'>,
): Promise<void> {
  await write(ctx, { ...happened, user }, { type: 'user', id: user })
}

/**
 * An attempt that failed is in the log of every organization whose user it may have been about, or, through an application, in that of the
 * application. Nobody waits for it, because the time that it takes would tell whether there is such a user.
 */
export function recordFailedSignIn(
  database: Database,
  account: string,
  summary: string,
  through?: { client: string; org: string },
): void {
  logLine({ type: 'sign_in.failed', client: through?.client, summary }, through?.org)
  const record = async () => {
    const about = (await findUsersByAddress(database.pool, account)).filter(
      ({ org_id }) => !through || org_id === through.org,
    )
    const failed = { type: 'sign_in.failed', client: through?.client } as const
    for (const { org_id, id } of about) {
      await transaction(systemContext(database, org_id), (ctx) => insert(ctx, { ...failed, user: id, summary }, null))
    }
    // Why somebody of another organization failed is nothing for this one.
    if (through && about.length === 0) {
      await transaction(systemContext(database, through.org), (ctx) =>
        insert(ctx, { ...failed, summary: 'Failed to sign in: there is no such user.' }, null),
      )
    }
  }
  record().catch((error) => visitor.getStore()?.log.error({ err: error }, 'a failed sign-in could not be recorded'))
}

/** An attempt that was not looked at is in the log of the process alone: whoever sends very many must not fill the logs of organizations. */
export function logRefusedSignIn(why: string): void {
  logLine({ type: 'sign_in.failed', summary: `Did not look at an attempt to sign in: ${why}` }, undefined)
}

/** Somebody who is in several organizations, before they chose one. */
export function logSignIn(person: string): void {
  logLine({ type: 'sign_in.succeeded', user: person, summary: 'Signed in.' }, undefined)
}

async function write(ctx: Context, happened: SecurityOccurrence, actor: Context['actor']): Promise<void> {
  await insert(ctx, happened, actor)
  ctx.afterCommit(async () => logLine(happened, ctx.org))
}

async function insert(
  ctx: Context,
  { type, user, client, summary }: SecurityOccurrence,
  actor: Context['actor'] | null,
): Promise<void> {
  const { address = null, userAgent = null, requestId = ctx.requestId } = visitor.getStore() ?? {}
  await insertSecurityEvent(ctx, {
    type,
    actor,
    user: user ?? null,
    client: client ?? null,
    summary,
    address,
    userAgent: userAgent ?? null,
    requestId,
  })
}

function logLine({ type, user, client, summary }: SecurityOccurrence, org: string | undefined): void {
  const { log, address, userAgent, requestId } = visitor.getStore() ?? {}
  log?.info(
    { security_event: type, request_id: requestId, org, user, client, ip: address, user_agent: userAgent },
    summary,
  )
}
