import type { Database } from '../../platform/db/database.ts'
import type { Settings } from '../../settings.ts'
import { listWaiting, type WaitingFile } from './directory.ts'
import { organizationOfInbox } from './inboxes.ts'

/** A file is taken within seconds. */
const longestMinutes = 15

/** Files in the directory of arrivals that nobody takes, and those that were refused and that nobody has looked after, in sentences. */
export async function verifyInbox(database: Database, { directory, names }: Settings['inbox']): Promise<string[]> {
  if (directory === null) return []
  try {
    const waiting = await listWaiting(directory)
    const folders = new Map<string, boolean>()
    for (const { folder } of waiting)
      if (!folders.has(folder)) folders.set(folder, (await organizationOfInbox(database, names, folder)) !== null)
    return waiting.flatMap((file) => faultOf(file, folders.get(file.folder) === true))
  } catch (error) {
    return [`INBOX_DIR ${directory} cannot be read: ${(error as Error).message}.`]
  }
}

function faultOf({ folder, name, minutes, failed }: WaitingFile, isKnown: boolean): string[] {
  if (!isKnown) return [`${folder}/${name} is in the folder of no organization.`]
  if (failed)
    return [
      `${folder}/failed/${name} was refused; ${name}.reason.txt next to it says why. Correct it and move it back, or remove both.`,
    ]
  return minutes >= longestMinutes ? [`${folder}/${name} has been waiting for ${minutes} minutes.`] : []
}
