import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir, startLading, usedDataDir } from '../process/lading.ts'
import { findingsOf, startReady } from './application.ts'
import { inPlace, type Result } from './place.ts'

/**
 * The keys of bank details are gone: a start is refused in one line, so that no new key is made. With others it starts, since the right ones may be lost for
 * good, and it is said at the start and by the doctor which are missing. With the right ones all is as before.
 */
export function bankKeys(): Promise<Result> {
  return inPlace(async (t) => {
    const dataDir = newDataDir(t, await usedDataDir(t))
    const keys = join(dataDir, 'bank-details.keys')
    const faults: string[] = []
    // The demo has payees with bank details.
    const kept = `${keys}.kept`
    renameSync(keys, kept)
    const refused = startLading(t, dataDir)
    const wasReady = await refused.ready().then(
      () => true,
      () => false,
    )
    refused.kill('SIGTERM')
    const { code, stderr } = await refused.ended
    if (wasReady || code === 0) faults.push('Without the keys it started.')
    else if (stderr.trim().split('\n').length !== 1 || !/bank-details\.keys/.test(stderr))
      faults.push(`Without the keys it said: ${stderr}`)
    if (existsSync(keys)) faults.push('A new key was made.')

    writeFileSync(keys, `other:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    const [id = ''] = readFileSync(kept, 'utf8').split(':')
    const warned = await startReady(t, dataDir, {})
    if (!warned.said().includes(id)) faults.push('A start with another key does not name the one that is missing.')
    const { 'bank details': found = '' } = await findingsOf({ DATA_DIR: dataDir })
    if (!found.includes(id)) faults.push(`The doctor does not name the key that is missing: ${found}`)
    warned.kill('SIGTERM')
    await warned.ended
    rmSync(keys)
    renameSync(kept, keys)
    const again = await startReady(t, dataDir, {})
    for (const [what, message] of Object.entries(await findingsOf({ DATA_DIR: dataDir })))
      faults.push(`The doctor finds fault with ${what}: ${message}`)
    again.kill('SIGTERM')
    await again.ended
    return { name: 'bank-keys', figures: { starts: 3 }, faults }
  })
}
