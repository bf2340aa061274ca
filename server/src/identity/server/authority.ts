import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Provider } from 'oidc-provider'
import { tokenVerifier, type Verify } from '../../platform/access/tokens/access-token.ts'
import { type Keyring, openKeyring } from '../../platform/access/tokens/keyring.ts'
import { type Revocations, watchRevocations } from '../../platform/access/tokens/revocations.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/observe/log.ts'
import type { Settings } from '../../settings.ts'
import { account } from '../account/account.ts'
import { passwordResets } from '../account/password-reset.ts'
import { invitations } from '../users/invitation.ts'
import { adjustAnswers } from './answers.ts'
import { interactions } from './interactions.ts'
import { mountProvider } from './mount.ts'
import { makeProvider } from './provider.ts'
import { findOrInsertSecret } from './secrets-store.ts'
import { userinfo } from './userinfo.ts'

/** Who may come in: the authorization server, the keys it signs with, and the check of what it signed. */
export type Authority = {
  keyring: Keyring
  revocations: Revocations
  verify: Verify
  provider(): Provider
  /** A rotation is a new provider with the new key in front; tokens signed with the old one stay good until they expire. */
  reloadKeys(): Promise<void>
  cookieKey: string
  /** By which failed attempts are counted. Tests have one that they can set. */
  clock(): Date
  close(): Promise<void>
}

const keysReadEveryMs = 10_000

export async function openAuthority({
  database,
  settings,
  log,
  clock = () => new Date(),
}: {
  database: Database
  settings: Settings
  log: Log
  clock?: () => Date
}): Promise<Authority> {
  const keyring = await openKeyring(database.pool)
  const revocations = await watchRevocations(database.pool)
  const verify = tokenVerifier(keyring, { issuer: settings.authUrl, audience: settings.audience }, revocations)
  // Made once for the whole service, by whichever process comes first.
  const cookieKey = (await findOrInsertSecret(database.pool, 'cookies', randomBytes(32))).toString('base64url')
  const build = () => {
    const made = makeProvider({ database, settings, keyring, revocations, cookieKey, clock })
    made.use(adjustAnswers({ publicUrl: settings.publicUrl, database, log, verify }))
    made.on('server_error', (ctx, error) => {
      ctx.state.failure = error
    })
    return made
  }
  let provider = build()
  const reloadKeys = async () => {
    if (await keyring.reload()) provider = build()
  }
  const keys = setInterval(() => reloadKeys().catch(() => {}), keysReadEveryMs).unref()
  return {
    keyring,
    revocations,
    verify,
    cookieKey,
    clock,
    provider: () => provider,
    reloadKeys,
    async close() {
      clearInterval(keys)
      await revocations.close()
    },
  }
}

/** The addresses of the authorization server: OAuth's own, and the pages that people see. */
export async function authorizationServer(
  app: FastifyInstance,
  { authority, database, settings }: { authority: Authority; database: Database; settings: Settings },
): Promise<void> {
  const parts = {
    provider: authority.provider,
    settings,
    database,
    cookieKey: authority.cookieKey,
    verify: authority.verify,
    clock: authority.clock,
  }
  await app.register(mountProvider, parts)
  await app.register(userinfo, parts)
  await app.register(interactions, parts)
  await app.register(account, parts)
  await app.register(invitations, parts)
  await app.register(passwordResets, parts)
}
