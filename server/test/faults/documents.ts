import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { lading, newDataDir, usedDataDir } from '../process/lading.ts'
import { findingsOf, newToken, startReady } from './application.ts'
import { fill, mountSmall } from './mounts.ts'
import { inPlace, type Result } from './place.ts'

type Kept = { id: string; sha256: string; bytes: Buffer }

/** Files of documents that are damaged or gone, and a full disk beneath them: nothing else is lost by it, and it is said which ones are. */
export function documents(): Promise<Result> {
  return inPlace(async (t) => {
    const [dataDir, port] = [newDataDir(t, await usedDataDir(t)), await freePort()]
    const base = `http://127.0.0.1:${port}`
    const small = mountSmall(t, 20 * 1024)
    const folder = small ?? join(dataDir, '..', 'documents')
    // Those of the demo.
    cpSync(join(dataDir, 'documents'), folder, { recursive: true })
    const place = { DATA_DIR: dataDir, DOCUMENTS_URL: pathToFileURL(folder).href, MINIMUM_FREE_DISK_MB: '0' }
    const server = await startReady(t, dataDir, {
      ...place,
      PORT: String(port),
      RATE_LIMIT_TOKEN: '0',
      RATE_LIMIT_ORGANIZATION: '0',
    })
    const authorization = `Bearer ${await newToken(t, embeddedAddress(dataDir), base)}`
    const faults: string[] = []
    const send = async (bytes: Buffer) => {
      const headers = {
        authorization,
        'content-type': 'text/plain',
        'content-disposition': 'attachment; filename="a.txt"',
      }
      const answer = await fetch(`${base}/api/v1/documents`, { method: 'POST', headers, body: new Uint8Array(bytes) })
      return { status: answer.status, text: await answer.text() }
    }
    const keep = async (size: number): Promise<Kept> => {
      const bytes = Buffer.from(randomBytes(size).toString('hex'))
      const { status, text } = await send(bytes)
      if (status !== 201) throw new Error(`A document was answered ${status}: ${text}`)
      return { ...JSON.parse(text).document, bytes }
    }
    const read = async ({ id }: Kept) => {
      const answer = await fetch(`${base}/api/v1/documents/${id}/content`, { headers: { authorization } }).catch(
        () => null,
      )
      const bytes = await answer?.arrayBuffer().catch(() => null)
      return { status: answer && bytes ? answer.status : 0, bytes: Buffer.from(bytes ?? new ArrayBuffer(0)) }
    }

    const good = [await keep(5_000), await keep(5_000)]
    const [damaged, gone] = [await keep(5_000), await keep(5_000)]
    const fileOf = ({ sha256 }: Kept) => {
      const name = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
        (file) => file.isFile() && file.name === sha256,
      )
      if (!name) throw new Error(`There is no file of ${sha256}.`)
      return join(name.parentPath, name.name)
    }

    if (small) {
      await fill(join(small, 'filler'))
      const full = await send(randomBytes(100_000))
      if (full.status !== 503 && full.status !== 507)
        faults.push(`On a full disk a document was answered ${full.status}: ${full.text}`)
      for (const one of good)
        if (!(await read(one)).bytes.equals(one.bytes)) faults.push('On a full disk a document cannot be read.')
      rmSync(join(small, 'filler'))
    }
    good.push(await keep(50_000))

    const bytes = readFileSync(fileOf(damaged))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 0xff
    writeFileSync(fileOf(damaged), bytes)
    rmSync(fileOf(gone))
    for (const one of good)
      if (!(await read(one)).bytes.equals(one.bytes)) faults.push('A document that nothing happened to cannot be read.')
    const { status } = await read(gone)
    if (status === 200) faults.push('A document whose file is gone was answered 200.')
    const { documents: said = '' } = await findingsOf(place, '--deep')
    for (const { sha256 } of [damaged, gone])
      if (!said.includes(sha256)) faults.push(`The doctor does not name ${sha256}: ${said}`)

    const to = join(dataDir, '..', 'backup.tar')
    const backup = await lading(['backup', to], place)
    const words = backup.stdout + backup.stderr
    if (backup.code !== 1) faults.push(`lading backup ended with ${backup.code}: ${words}`)
    for (const { sha256 } of [damaged, gone])
      if (!words.includes(sha256)) faults.push(`lading backup does not name ${sha256}: ${words}`)
    const copy = newDataDir(t)
    const restored = await lading(['restore', to], { DATA_DIR: copy })
    if (restored.code !== 0 && !words.includes(gone.sha256))
      faults.push(`What was saved could not be restored: ${restored.stderr}`)
    const there = readdirSync(join(copy, 'documents'), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    for (const { sha256 } of good)
      if (!there.some(({ name }) => name === sha256)) faults.push(`${sha256} is not in what was restored.`)
    server.kill('SIGTERM')
    await server.ended
    const figures = {
      acknowledged: good.length + 2,
      'disk full': small ? 'yes' : 'skipped: needs root, to mount a small tmpfs',
    }
    return { name: 'documents', figures, faults }
  })
}
