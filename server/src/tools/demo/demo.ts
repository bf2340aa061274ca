import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeRedirectUris, createApplication } from '../../identity/applications/actions.ts'
import { grantTypes } from '../../identity/applications/model.ts'
import { createJoinedUser } from '../../identity/users/actions.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { addressesOf } from '../../platform/addresses.ts'
import { actingAs, transaction } from '../../platform/context.ts'
import { writeWholeFile } from '../../platform/core/turns/whole-files.ts'
import { newId } from '../../platform/core/values/ids.ts'
import type { Database } from '../../platform/db/database.ts'
import { establish, listOrganizations, systemContext } from '../../platform/organizations/actions.ts'
import type { Settings } from '../../settings.ts'
import { fillBooks } from './books.ts'
import { fillConnections } from './connections.ts'
import { spreadOverTime } from './dating.ts'
import { fillDispatch } from './moving/dispatch.ts'
import { fillEmanifests } from './moving/emanifests.ts'
import { fillFreight } from './moving/freight.ts'
import { fillPartners } from './moving/partners.ts'
import { fillPapers } from './papers.ts'
import { fillPayables } from './payables.ts'
import { fillPayouts } from './payouts.ts'
import { fillRates } from './rates.ts'
import { fillReceivables } from './receivables.ts'
import { allowPauses } from './store.ts'

/** What an integrator needs to make the first call; the same keys as `demo.json`. */
export type Demo = {
  base_url: string
  network_url: string
  auth_url: string
  authorize_url: string
  token_url: string
  audience: string
  org_id: string
  username: string
  password: string
  client_id: string
  client_secret: string
  redirect_uris: string[]
  /** Somebody of a carrier, for the partner portal. */
  partner_username?: string
  partner_password?: string
}

/** On the first start of an embedded database: a demo organization. On later starts: its addresses, should they have moved. */
export async function ensureDemo(
  database: Database,
  settings: Settings,
  log: { warn(message: string): void },
): Promise<void> {
  const kept = readDemo(settings)
  const organizations = await listOrganizations(database)
  if (kept === 'damaged' && organizations.length > 0) {
    log.warn(
      `${pathOf(settings)} is damaged, so the keys of the demo organization cannot be read from it. Delete the file; \`lading demo\` makes another demo organization.`,
    )
    return
  }
  // A file without its organization is what a crash in the middle leaves behind.
  if (kept && kept !== 'damaged' && organizations.some(({ id }) => id === kept.org_id))
    return keepDemo(settings, {
      ...kept,
      ...addressesOf(settings),
      redirect_uris: await movedRedirects(database, settings, kept),
    })
  if (organizations.length === 0) announce(await makeDemo(database, settings), settings)
}

/** A new demo organization with believable data, all of it or nothing. Its secrets are random, printed once and kept where only the owner reads. */
export async function makeDemo(database: Database, settings: Settings): Promise<Demo> {
  const password = randomBytes(12).toString('base64url')
  const username = `admin-${randomBytes(3).toString('hex')}@blueridge.example`
  const redirect_uris = [
    'http://127.0.0.1:3000/callback',
    'http://localhost:3000/callback',
    ...referenceOf(settings.publicUrl),
  ]
  return transaction(systemContext(database, newId()), async (ctx) => {
    await allowPauses(ctx)
    await establish(ctx, 'Blue Ridge Freight Brokers')
    await fillRates(ctx)
    const admin = await createJoinedUser(ctx, { email: username, name: 'Avery Brooks', role: 'admin', password })
    const application = await createApplication(ctx, {
      name: 'Demo integration',
      type: 'confidential',
      redirect_uris,
      scopes: scopeNames,
      grant_types: [...grantTypes],
    })
    const acting = actingAs(ctx, { type: 'user', id: admin.id })
    const freight = await fillFreight(acting)
    await fillDispatch(acting, freight)
    const { terms, bills } = await fillBooks(acting, freight)
    await fillReceivables(acting, freight, terms)
    await fillPapers(acting, settings, bills)
    await fillPayables(acting, settings, freight)
    await fillPayouts(acting, settings, application.client_id, freight.payees)
    await fillConnections(acting, settings, freight.payees, terms)
    await fillEmanifests(acting, freight)
    const partner = {
      email: `dispatch-${randomBytes(3).toString('hex')}@carrier.example`,
      password: randomBytes(12).toString('base64url'),
    }
    await fillPartners(acting, partner, { ...freight, bills })
    await spreadOverTime(acting)
    const keys = { client_id: application.client_id, client_secret: application.client_secret as string }
    const demo = {
      ...addressesOf(settings),
      org_id: ctx.org,
      username,
      password,
      ...keys,
      redirect_uris,
      partner_username: partner.email,
      partner_password: partner.password,
    }
    keepDemo(settings, demo)
    return demo
  })
}

/** The page of the reference, to which a person comes back who authorizes there. None where it is reached by plain http from elsewhere. */
function referenceOf(publicUrl: string): string[] {
  return [`${publicUrl}/docs`].filter((uri) => /^https:|\/\/(127\.0\.0\.1|localhost)[:/]/.test(uri))
}

/** Served at another address than before, the application lets people come back there; what was added to it or taken away stays so. */
async function movedRedirects(
  database: Database,
  settings: Settings,
  { org_id, client_id, base_url, redirect_uris }: Demo,
): Promise<string[]> {
  const [before, now] = [referenceOf(base_url), referenceOf(settings.publicUrl)]
  if (before[0] === now[0]) return redirect_uris
  const moved = (uris: readonly string[]) => [...new Set([...uris.filter((uri) => !before.includes(uri)), ...now])]
  await changeRedirectUris(systemContext(database, org_id), client_id, moved)
  return moved(redirect_uris)
}

export function announce(demo: Demo, settings: Settings): void {
  const line = (name: string, value: string) => `  ${name.padEnd(14)} ${value}\n`
  process.stdout.write(
    `\nA demo organization was made for you. These are its keys, shown this once (and kept in ${pathOf(settings)}):\n${line('organization', demo.org_id)}${line('username', demo.username)}${line('password', demo.password)}${line('client id', demo.client_id)}${line('client secret', demo.client_secret)}${demo.partner_username ? line('carrier', `${demo.partner_username}, password ${demo.partner_password}, at ${settings.publicUrl}/portal`) : ''}\n`,
  )
}

function readDemo(settings: Settings): Demo | 'damaged' | null {
  const path = pathOf(settings)
  if (!existsSync(path)) return null
  try {
    const demo: Demo | null = JSON.parse(readFileSync(path, 'utf8'))
    return typeof demo?.org_id === 'string' ? demo : 'damaged'
  } catch {
    return 'damaged'
  }
}

function keepDemo(settings: Settings, demo: Demo): void {
  // With a database elsewhere nobody has made it yet.
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  writeWholeFile(pathOf(settings), `${JSON.stringify(demo, null, 2)}\n`, 0o600)
}

function pathOf({ dataDir }: Settings): string {
  return join(dataDir, 'demo.json')
}
