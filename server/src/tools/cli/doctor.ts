import { verifyBooks } from '../../books/verify.ts'
import { verifyEmanifests } from '../../freight/emanifests/verify.ts'
import { verifyCarrierInvoices } from '../../payables/carrier-invoices/received/verify.ts'
import { verifyBankDetails } from '../../payables/upkeep/rotating.ts'
import { verifyPayouts } from '../../payables/upkeep/verify.ts'
import { countKeysInUse } from '../../platform/access/tokens/keyring.ts'
import { lastBackup } from '../../platform/backup/schedule.ts'
import { outboundOff } from '../../platform/core/outbound.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import { StartError } from '../../platform/core/start-error.ts'
import { placementFaults } from '../../platform/db/cluster/placement.ts'
import { tenancyFaults } from '../../platform/db/cluster/tenancy.ts'
import type { Database } from '../../platform/db/database.ts'
import { schemaFaults } from '../../platform/db/schema/schema-check.ts'
import { readSchemaState, refuseUnknown } from '../../platform/db/schema/schema-state.ts'
import { describeServer } from '../../platform/db/schema/server.ts'
import { letterFault } from '../../platform/db/sql/letters.ts'
import { verifyFeeds } from '../../platform/events/feed/verify.ts'
import { sharing } from '../../platform/files/contents/place.ts'
import { verifyDocuments } from '../../platform/files/contents/verify.ts'
import { openStorage } from '../../platform/files/storage/open.ts'
import { check } from '../../platform/health/routes.ts'
import { openTransport } from '../../platform/mail/transport.ts'
import { waitingMails } from '../../platform/mail/waiting.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { verifyDeliveries } from '../../platform/webhooks/verifying/verify.ts'
import type { Job } from '../../platform/work/job.ts'
import { failingJobs } from '../../platform/work/report.ts'
import { verifyObjects } from '../../records/upkeep/verify.ts'
import type { Settings } from '../../settings.ts'
import { missingDatabase, withDatabase } from './database.ts'

export type Finding = { ok: boolean; what: string; message: string }

/** The list of background work, which stands above the tools. */
export type JobsOf = (database: Database, settings: Settings) => readonly Pick<Job, 'name'>[]

/** `deep`: reads the content of every document too. */
export async function examine(settings: Settings, jobsOf: JobsOf, { deep = false } = {}): Promise<Finding[]> {
  const findings: Finding[] = [
    { ok: true, what: 'runtime', message: `Node ${process.versions.node} on ${process.platform} ${process.arch}` },
  ]
  const missing = missingDatabase(settings)
  if (missing) return [...findings, { ok: false, what: 'database', message: missing }]
  try {
    await withDatabase(settings, async (database) => {
      for (const [what, { ok, message }] of Object.entries(await check(database, settings)))
        findings.push({ what, ok, message })
      if (findings.every(({ ok }) => ok)) findings.push(...(await version(database)))
      if (findings.every(({ ok }) => ok))
        findings.push(
          await server(database),
          await letters(database),
          await schema(database),
          await tenancy(database),
          ...(await cluster(database)),
          await books(database),
          await carrierInvoices(database),
          ...(await inbox(database, settings)),
          ...(await bounces(settings)),
          await emanifests(database, settings),
          await paymentRuns(database),
          await bankDetails(database, settings),
          await objects(database),
          await documents(database, settings, deep),
          await feeds(database),
          await deliveries(database, settings),
          ...outbound(settings),
          await keys(database),
          await work(database, jobsOf(database, settings)),
          await mails(database, settings),
          await backups(database, settings),
        )
    })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    findings.push({ ok: false, what: 'database', message: error.message })
  }
  return findings
}

/** What this version does not know it cannot judge; nor would it start. */
async function version({ pool }: Database): Promise<Finding[]> {
  try {
    refuseUnknown(await readSchemaState(pool.run))
    return []
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [{ ok: false, what: 'version', message: error.message }]
  }
}

async function server({ pool }: Database): Promise<Finding> {
  const { version, durable } = await describeServer(pool)
  return {
    ok: durable,
    what: 'durability',
    message: durable
      ? `PostgreSQL ${version} writes to disk before it acknowledges.`
      : 'fsync or synchronous_commit is off: a power loss would lose acknowledged writes.',
  }
}

async function letters({ pool }: Database): Promise<Finding> {
  const fault = await letterFault(pool.run)
  return {
    ok: fault === null,
    what: 'letters',
    message: fault ?? 'The database knows upper and lower case in every alphabet.',
  }
}

async function schema({ pool }: Database): Promise<Finding> {
  const faults = await schemaFaults(pool)
  const more = faults.length > 20 ? ` And ${faults.length - 20} more.` : ''
  const message =
    faults.length === 0
      ? 'Every table, constraint, function and view is as the migrations make it.'
      : faults.slice(0, 20).join(' ') + more
  return { ok: faults.length === 0, what: 'schema', message }
}

async function tenancy({ pool }: Database): Promise<Finding> {
  const faults = await tenancyFaults(pool.run)
  return {
    ok: faults.length === 0,
    what: 'tenancy',
    message: faults.length === 0 ? 'Every table keeps organizations apart.' : faults.join(' '),
  }
}

/** On plain PostgreSQL there is nothing to say. */
async function cluster({ pool }: Database): Promise<Finding[]> {
  if (!(await pool.distributed())) return []
  const faults = await placementFaults(pool.run)
  return [
    {
      ok: faults.length === 0,
      what: 'cluster',
      message: faults.length === 0 ? 'Every table is where it belongs, on every node.' : faults.join(' '),
    },
  ]
}

async function books({ pool }: Database): Promise<Finding> {
  const faults = await verifyBooks(pool)
  const most = 20
  const more = faults.length > most ? ` And ${faults.length - most} more.` : ''
  return {
    ok: faults.length === 0,
    what: 'books',
    message: faults.length === 0 ? 'Every sum, state and number adds up.' : faults.slice(0, most).join(' ') + more,
  }
}

async function carrierInvoices({ pool }: Database): Promise<Finding> {
  const faults = await verifyCarrierInvoices(pool)
  const message =
    faults.length === 0 ? 'Every state, bill and sum of lines says the same.' : faults.slice(0, 20).join(' ')
  return { ok: faults.length === 0, what: 'carrier invoices', message }
}

/** Without a directory for arrivals there is nothing to say. */
async function inbox(database: Database, { inbox }: Settings): Promise<Finding[]> {
  if (inbox.directory === null) return []
  const { verifyInbox } = await import('../../payables/arrivals/verify.ts')
  const faults = await verifyInbox(database, inbox)
  const message = faults.length === 0 ? `Nothing waits in ${inbox.directory}.` : faults.slice(0, 20).join(' ')
  return [{ ok: faults.length === 0, what: 'inbox directory', message }]
}

async function bounces({ bouncesDir }: Settings): Promise<Finding[]> {
  if (bouncesDir === null) return []
  const { verifyReports } = await import('../../platform/mail/bounces.ts')
  const faults = await verifyReports(bouncesDir)
  const message = faults.length === 0 ? `Nothing waits in ${bouncesDir}.` : faults.slice(0, 20).join(' ')
  return [{ ok: faults.length === 0, what: 'bounces directory', message }]
}

async function emanifests({ pool }: Database, settings: Settings): Promise<Finding> {
  const faults = await verifyEmanifests(pool, settings.emanifests)
  const message =
    faults.length === 0
      ? 'Every state says what was filed, and nothing was left behind.'
      : faults.slice(0, 20).join(' ')
  return { ok: faults.length === 0, what: 'e-manifests', message }
}

async function paymentRuns({ pool }: Database): Promise<Finding> {
  const faults = await verifyPayouts(pool)
  const message =
    faults.length === 0 ? 'Every run, its payments and what those settle say the same.' : faults.slice(0, 20).join(' ')
  return { ok: faults.length === 0, what: 'payment runs', message }
}

async function bankDetails(database: Database, settings: Settings): Promise<Finding> {
  const faults = await verifyBankDetails(database, openVault(settings))
  const message = faults.length === 0 ? 'All can be read with the keys of this server.' : faults.slice(0, 20).join(' ')
  return { ok: faults.length === 0, what: 'bank details', message }
}

async function objects(database: Database): Promise<Finding> {
  const faults = await verifyObjects(database)
  const message = faults.length === 0 ? 'Every object is found by what is in it.' : faults.slice(0, 20).join(' ')
  return { ok: faults.length === 0, what: 'objects', message }
}

/** What no row knows is no fault: it may be an upload that is under way. */
async function documents({ pool }: Database, settings: Settings, deep: boolean): Promise<Finding> {
  const storage = openStorage(settings)
  try {
    const { checked, faults, unknown } = await verifyDocuments(pool, storage, { deep })
    const most = 20
    const found = `${checked} contents of documents are in ${storage.name}${deep ? ', as they were sent' : ' with their sizes'}.`
    const others =
      unknown.length > 0
        ? ` No document has these files: ${unknown.slice(0, most).join(', ')}${unknown.length > most ? ', …' : ''}.`
        : ''
    const wrong = [
      ...faults.slice(0, most),
      ...(faults.some((fault) => fault.includes('is missing in')) ? [sharing] : []),
    ].join(' ')
    return { ok: faults.length === 0, what: 'documents', message: (faults.length === 0 ? found : wrong) + others }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      ok: false,
      what: 'documents',
      message: `${storage.name} cannot be read: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    }
  }
}

async function feeds({ pool }: Database): Promise<Finding> {
  const faults = await verifyFeeds(pool)
  const message =
    faults.length === 0
      ? 'Every position has its event, once, and every event the hash that follows from the one before.'
      : faults.slice(0, 20).join(' ')
  return { ok: faults.length === 0, what: 'change feeds', message }
}

async function deliveries({ pool }: Database, { webhooks }: Settings): Promise<Finding> {
  const faults = await verifyDeliveries(pool, webhooks.deliveryDays)
  const message =
    faults.length === 0 ? 'Every event has its deliveries, and none is left behind.' : faults.slice(0, 20).join(' ')
  return { ok: faults.length === 0, what: 'webhooks', message }
}

/** A choice, and no fault; whoever wonders why nothing arrives finds it here. */
function outbound({ outbound }: Settings): Finding[] {
  return outbound === 'on' ? [] : [{ ok: true, what: 'outbound', message: outboundOff }]
}

async function keys({ pool }: Database): Promise<Finding> {
  const count = await countKeysInUse(pool)
  return {
    ok: count > 0,
    what: 'signing keys',
    message: count > 0 ? `${count} in use.` : 'There is none; a start makes one.',
  }
}

async function work(database: Database, jobs: ReturnType<JobsOf>): Promise<Finding> {
  const failing = await failingJobs(
    database,
    jobs.map(({ name }) => name),
  )
  return {
    ok: failing.length === 0,
    what: 'background work',
    message: failing.length === 0 ? 'No job has failed in its last run.' : failing.join(' '),
  }
}

/** Asked here as well as by the servers: one that is stopped, or has not sent anything yet, has nothing to report. */
async function mails(database: Database, { mail, outbound }: Settings): Promise<Finding> {
  const { waiting } = await waitingMails(database)
  // A copy of an installation must not sign in at the mail server of the original.
  if (outbound === 'off')
    return {
      ok: true,
      what: 'mails',
      message: `Nothing is sent, and the mail server was not asked. ${waiting} wait to be sent.`,
    }
  const transport = openTransport(mail, { connectMs: 10_000 })
  const why = await transport.reach().then(
    () => null,
    (error: Error) => error.message,
  )
  transport.close()
  const [where, there] =
    mail.smtpUrl === null
      ? [`the directory ${mail.directory}`, 'can be written']
      : ['the mail server of SMTP_URL', 'answers']
  const message = why === null ? `${where} ${there}.` : `No mail can be handed over to ${where}: ${why}`
  return {
    ok: why === null,
    what: 'mails',
    message: `${message.slice(0, 1).toUpperCase()}${message.slice(1)} ${waiting} wait to be sent.`,
  }
}

/** Where backups are scheduled, one period without one may be an accident; two are a fault. */
async function backups({ pool }: Database, { backups }: Settings): Promise<Finding> {
  const last = await lastBackup(pool)
  const hours = last && (Date.now() - last.made_at.getTime()) / 3_600_000
  const late = backups !== null && (hours === undefined || hours > 2 * backups.everyHours)
  const message = last
    ? `The last good one is ${(hours as number).toFixed(1)} hours old: ${last.path}.`
    : `There is none yet. ${backups ? '' : 'Set BACKUP_DIR, or run lading backup.'}`.trim()
  return { ok: !late, what: 'backups', message }
}
