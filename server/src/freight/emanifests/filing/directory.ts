import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listIncoming, setAside } from '../../../platform/core/turns/incoming-files.ts'
import { writeWholeFile } from '../../../platform/core/turns/whole-files.ts'
import { ediText } from '../../../platform/x12/text.ts'
import type { FilingAdapter } from './filing.ts'

export type FilingDirectory = {
  path: string
  /** The organization that a folder belongs to; null where there is none. */
  organizationOf(folder: string): Promise<string | null>
  /** What the folder of an organization is called. */
  folderOf(org: string): string
  /** A file that was written to so lately may not be whole yet. */
  settledMs?: number
}

const endings = ['.x12', '.edi', '.txt', '.997', '.355', '.350']

/**
 * `out/` has what is to be filed, `in/` what came back, each with a folder for every organization. A file is renamed to its name when it is whole; written
 * again it has the same name.
 */
export function directoryFiling({ path, organizationOf, folderOf, settledMs = 5_000 }: FilingDirectory): FilingAdapter {
  return {
    async file({ org, controlNumber, transactionSet, text }) {
      const folder = join(path, 'out', folderOf(org))
      await mkdir(folder, { recursive: true })
      writeWholeFile(join(folder, `${controlNumber}.${transactionSet}`), text, 0o640)
      return null
    },
    async collect(take) {
      for (const name of await foldersIn(join(path, 'in'))) {
        const folder = join(path, 'in', name)
        const files = await listIncoming(folder, endings, settledMs)
        const org = files.length > 0 ? await organizationOf(name) : null
        if (org === null) continue
        for (const file of files) {
          const bytes = await readFile(join(folder, file)).catch(() => null)
          // Another process that watches the same directory was quicker.
          if (bytes === null) continue
          const [done, refuse] = [
            () => setAside(folder, 'done', file),
            (reason: string) => setAside(folder, 'failed', file, reason),
          ]
          await take({ org, name: file, text: ediText(bytes), done, refuse })
        }
      }
    },
  }
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}
