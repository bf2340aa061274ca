import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../core/refusal.ts'
import { runInThread } from '../core/turns/apart.ts'
import { listIncoming, listWaitingIn, setAside } from '../core/turns/incoming-files.ts'
import type { Database } from '../db/database.ts'
import { systemContext } from '../organizations/actions.ts'
import { bounceByReport } from './actions.ts'
import { readReport } from './bounce-report.ts'
import { findOrganizationOfMail } from './delivery-store.ts'

/** A report has the mail that came back in it, with its attachments. */
const mostBytes = 25 * 2 ** 20
const endings = ['.eml']
/** A file is taken within seconds. */
const longestMinutes = 15

const readApart = runInThread(new URL('./bounce-report.ts', import.meta.url).href, readReport, { small: 0 })

/** Marks the mail that a report is about as bounced, with the reasons. A report of a delay, or that all went well, changes nothing. */
export async function receiveReport(database: Database, bytes: Buffer): Promise<void> {
  const { id, message_id, failed } = await readApart('reports', bytes)
  const org = await findOrganizationOfMail(database.pool, id)
  if (org === null)
    throw new Refusal('not_found', 'unknown_mail', `No mail of this server has the Message-ID ${message_id}.`)
  const reason = failed.map(({ address, reason }) => `${address}: ${reason}`).join(' ')
  if (failed.length > 0) await bounceByReport(systemContext(database, org), id, message_id, reason)
}

export type ReportsDirectory = { database: Database; directory: string; settledMs?: number }

/** Takes the reports in the directory, each once. A file that is no report of a mail from here is moved to `failed` with the reason. */
export async function receiveReports(
  { database, directory, settledMs = 5_000 }: ReportsDirectory,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (const name of await listIncoming(directory, endings, settledMs)) {
    signal?.throwIfAborted()
    // A file that cannot be taken at this moment stays, and does not keep the others from their turn.
    await receiveFile(database, directory, name).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function receiveFile(database: Database, directory: string, name: string): Promise<void> {
  const path = join(directory, name)
  const found = await lstat(path).catch(() => null)
  if (!found) return
  try {
    if (found.size > mostBytes)
      throw new Refusal(
        'too_large',
        'body_too_large',
        `The file has ${found.size} bytes, and at most ${mostBytes} are taken.`,
      )
    await receiveReport(database, await readFile(path))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'still_queued') return
    if (error.kind === 'unavailable') throw error
    await setAside(directory, 'failed', name, error.message)
    return
  }
  await setAside(directory, 'done', name)
}

/** Files in the directory that nobody takes, and those that were refused, in sentences. */
export async function verifyReports(directory: string): Promise<string[]> {
  try {
    await lstat(directory)
    return (await listWaitingIn(directory, endings)).flatMap(({ name, minutes, failed }) => {
      if (failed)
        return [`failed/${name} was refused; ${name}.reason.txt next to it says why. Look at it, then remove both.`]
      return minutes >= longestMinutes ? [`${name} has been waiting for ${minutes} minutes.`] : []
    })
  } catch (error) {
    return [`BOUNCES_DIR ${directory} cannot be read: ${(error as Error).message}.`]
  }
}
