import { rejudgeAll, remindAll } from './books/approvals/rejudging.ts'
import { findDocumentTally } from './books/kinds/kinds.ts'
import { refreshSummaries } from './books/reports/summaries.ts'
import { openRouting } from './freight/arrival-times/routing.ts'
import { openFiling } from './freight/emanifests/filing/open.ts'
import { filingJob } from './freight/emanifests/sending.ts'
import { deleteOld as deleteOldPositions } from './freight/positions/retention.ts'
import { routeAll } from './freight/positions/routing.ts'
import { deleteExpired } from './identity/people/expiry.ts'
import { syncJob } from './integrations/accounting/syncs/working.ts'
import { auditJob } from './payables/carrier-invoices/runs.ts'
import { correctRevocations } from './platform/access/tokens/revocations.ts'
import { backupJob } from './platform/backup/schedule.ts'
import { foldAll, foldingJobHere } from './platform/db/counts/tally-folding.ts'
import type { Database } from './platform/db/database.ts'
import { chainAll, publishAll, publishingJobHere } from './platform/events/feed/publishing.ts'
import { expirePositions } from './platform/events/feed/retention.ts'
import { deleteOldUploads, deleteUnheld } from './platform/files/cleaning.ts'
import { uploadFolder } from './platform/files/contents/folders.ts'
import { openStorage } from './platform/files/storage/open.ts'
import { type MailObserver, mailJob } from './platform/mail/delivering.ts'
import { openTransport } from './platform/mail/transport.ts'
import { deleteOldEntries as deleteOldRequests } from './platform/request-log/retention.ts'
import { deleteOldEntries } from './platform/security-log/retention.ts'
import { deleteOldTransfers } from './platform/transfers/retention.ts'
import { transferJob } from './platform/transfers/rounds.ts'
import { openVault } from './platform/vault/vault.ts'
import { deleteOldWebhookDeliveries } from './platform/webhooks/attempts/retention.ts'
import { type DeliveringParts, deliveryJob } from './platform/webhooks/delivering.ts'
import { openSenderThread } from './platform/webhooks/sending/sender-thread.ts'
import type { Job } from './platform/work/job.ts'
import { findObjectTally } from './records/index/tallies.ts'
import type { Settings } from './settings.ts'
import { transferables } from './transferables.ts'

type Wanted = Pick<
  Settings,
  | 'backups'
  | 'bankDetailsKeys'
  | 'bouncesDir'
  | 'connectors'
  | 'dataDir'
  | 'databaseUrl'
  | 'documents'
  | 'fileLimits'
  | 'ediOutDir'
  | 'emanifests'
  | 'eventDays'
  | 'transfers'
  | 'inbox'
  | 'mail'
  | 'outbound'
  | 'positionDays'
  | 'publicUrl'
  | 'requestLog'
  | 'routing'
  | 'securityLogDays'
  | 'version'
  | 'webhooks'
>
/** Where deliveries to webhooks and mails are reported. */
type Reporting = Pick<DeliveringParts, 'log' | 'observe'> & { mails?: MailObserver }

/** All background work. A job is one entry here. */
export function jobsOf(database: Database, settings: Wanted, reporting: Reporting = {}): Job[] {
  const {
    securityLogDays,
    eventDays,
    requestLog,
    positionDays,
    routing,
    webhooks,
    bouncesDir,
    ediOutDir,
    inbox,
    backups,
    version,
    outbound,
  } = settings
  // What a copy does not need any more, the server that it is a copy of may.
  const isBucketOfOthers = outbound === 'off' && settings.documents.kind === 's3'
  const findTally = (name: string) => findDocumentTally(name) ?? findObjectTally(name)
  return [
    {
      name: 'fold tallies',
      everySeconds: 60,
      runsOn: 'one process',
      run: (signal) => foldAll(database, findTally, signal),
    },
    {
      name: 'fold tallies written here',
      everySeconds: 60,
      runsOn: 'each process',
      ...foldingJobHere(database, findTally),
    },
    {
      name: 'look at open bills again whose rules of approval changed',
      everySeconds: 10,
      runsOn: 'one process',
      run: (signal) => rejudgeAll(database, signal),
    },
    {
      name: 'remind of bills that wait for approval',
      everySeconds: 3600,
      runsOn: 'one process',
      run: (signal) => remindAll(database, signal),
    },
    {
      name: 'publish events',
      everySeconds: 5,
      runsOn: 'one process',
      run: (signal) => publishAll(database, signal),
    },
    {
      name: 'chain events by their hashes',
      everySeconds: 60,
      runsOn: 'one process',
      run: (signal) => chainAll(database, signal),
    },
    {
      name: 'publish events recorded here',
      everySeconds: 60,
      runsOn: 'each process',
      ...publishingJobHere(database),
    },
    {
      name: 'put summaries together',
      everySeconds: 3,
      runsOn: 'one process',
      run: (signal) => refreshSummaries(database, signal),
    },
    {
      name: 'end the time in which old events can be read from the feed',
      everySeconds: 3600,
      runsOn: 'one process',
      run: (signal) => expirePositions(database, eventDays, signal),
    },
    ...(outbound === 'off' ? [] : sendingJobs(database, settings, reporting)),
    {
      name: 'delete old deliveries of webhooks',
      everySeconds: 3600,
      runsOn: 'one process',
      run: (signal) => deleteOldWebhookDeliveries(database, webhooks.deliveryDays, signal),
    },
    {
      name: 'delete expired sessions and codes',
      everySeconds: 60,
      runsOn: 'one process',
      async run(signal) {
        await correctRevocations(database, signal)
        return deleteExpired(database, signal)
      },
    },
    {
      name: 'delete old entries of the security log',
      everySeconds: 3600,
      runsOn: 'one process',
      run: (signal) => deleteOldEntries(database, securityLogDays, signal),
    },
    {
      name: 'delete old entries of the request log',
      everySeconds: 3600,
      runsOn: 'one process',
      run: (signal) => deleteOldRequests(database, requestLog.days, signal),
    },
    {
      name: 'delete old positions',
      everySeconds: 3600,
      runsOn: 'one process',
      run: (signal) => deleteOldPositions(database, positionDays, signal),
    },
    {
      name: 'work off imports and exports',
      everySeconds: 5,
      runsOn: 'each process',
      ...transferJob(database, transferables),
    },
    {
      name: 'audit carrier invoices',
      everySeconds: 5,
      runsOn: 'each process',
      ...auditJob(database),
    },
    {
      name: 'delete old imports and exports',
      everySeconds: 600,
      runsOn: 'one process',
      run: (signal) => deleteOldTransfers(database, settings.transfers.kept, signal),
    },
    ...(isBucketOfOthers ? [] : [deletingJob(database, settings)]),
    {
      name: 'delete uploads that were cut short',
      everySeconds: 3600,
      runsOn: 'each process',
      run: () => deleteOldUploads(uploadFolder(settings)),
    },
    ...emanifestJobs(database, settings),
    ...(inbox.directory === null ? [] : [inboxJob(database, settings, inbox.directory)]),
    ...(routing === null ? [] : [routingJob(database, routing)]),
    ...(ediOutDir === null ? [] : [acknowledgementsJob(database, settings, ediOutDir)]),
    ...(bouncesDir === null ? [] : [bouncesJob(database, bouncesDir)]),
    ...(backups ? [backupJob(database.pool, backups, version, openStorage(settings))] : []),
  ]
}

/** What goes to others on behalf of organizations. Without these jobs it waits. */
function sendingJobs(database: Database, settings: Wanted, reporting: Reporting): Job[] {
  const { webhooks, mail, connectors: services, publicUrl } = settings
  const keeping = { storage: openStorage(settings), folder: uploadFolder(settings) }
  return [
    {
      name: 'deliver webhooks',
      everySeconds: 5,
      runsOn: 'each process',
      ...deliveryJob({ database, sender: openSenderThread(webhooks), perSecond: webhooks.perSecond, ...reporting }),
    },
    {
      name: 'send mails',
      everySeconds: 5,
      runsOn: 'each process',
      ...mailJob({
        database,
        transport: openTransport(mail),
        from: mail.from,
        log: reporting.log,
        observe: reporting.mails,
      }),
    },
    {
      name: 'sync with accounting systems',
      everySeconds: 5,
      runsOn: 'each process',
      ...syncJob({ database, vault: openVault(settings), services, publicUrl, keeping, log: reporting.log }),
    },
  ]
}

function deletingJob(database: Database, settings: Wanted): Job {
  return {
    name: 'delete documents that nothing holds',
    everySeconds: 60,
    runsOn: 'one process',
    run: (signal) => deleteUnheld(database, openStorage(settings), signal),
  }
}

/** Each process does: the directory may be on its machine alone. */
function emanifestJobs(database: Database, settings: Wanted): Job[] {
  const filing = openFiling(database, settings)
  return filing === null
    ? []
    : [
        {
          name: 'file e-manifests, and take what customs answers',
          everySeconds: 5,
          runsOn: 'each process',
          ...filingJob({ database, filing }),
        },
      ]
}

/** Asks the routing service how long the rest of the way is. */
function routingJob(database: Database, { url, timeoutMs }: NonNullable<Wanted['routing']>): Job {
  return {
    name: 'ask the routing service about manifests that are under way',
    everySeconds: 15,
    runsOn: 'one process',
    run: (signal) => routeAll(database, openRouting(url, timeoutMs), signal),
  }
}

function acknowledgementsJob(database: Database, { inbox }: Wanted, directory: string): Job {
  return {
    name: 'write acknowledgements of EDI to the outgoing directory',
    everySeconds: 10,
    runsOn: 'one process',
    async run(signal) {
      const { writeAcknowledgements } = await import('./payables/arrivals/interchanges.ts')
      await writeAcknowledgements({ database, directory, names: inbox.names }, signal)
    },
  }
}

function bouncesJob(database: Database, directory: string): Job {
  return {
    name: 'take reports of mails that came back',
    everySeconds: 10,
    runsOn: 'each process',
    async run(signal) {
      const { receiveReports } = await import('./platform/mail/bounces.ts')
      await receiveReports({ database, directory }, signal)
    },
  }
}

/** Each process looks: the directory may be on its machine alone. */
function inboxJob(database: Database, settings: Wanted, directory: string): Job {
  const keeping = { storage: openStorage(settings), folder: uploadFolder(settings) }
  return {
    name: 'take carrier invoices from the inbox directory',
    everySeconds: 10,
    runsOn: 'each process',
    // Loaded when it is wanted: few servers have such a directory.
    async run(signal) {
      const { receiveDirectory } = await import('./payables/arrivals/directory.ts')
      await receiveDirectory({ database, keeping, directory, names: settings.inbox.names }, signal)
    },
  }
}
