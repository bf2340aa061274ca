import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../../core/start-error.ts'
import { syncFolder } from '../../core/turns/whole-files.ts'
import { type Binaries, isAlive, type Launcher, lastLine, nobody, runToEnd } from './binaries.ts'

/** Where the parts of an embedded PostgreSQL lie. */
export type Places = { dataDir: string; cluster: string; socketDir: string; logDir: string; startLog: string }

export const superuser = 'lading'
export const port = 5432
const unixPathLimit = 103
// Not os.userInfo(): in a container the user may be a bare number without a name.
const userId = process.getuid?.() ?? 0

export function preparePlaces(dataDir: string): Places {
  const places = {
    dataDir,
    cluster: join(dataDir, 'postgres'),
    socketDir: socketDirOf(dataDir),
    logDir: join(dataDir, 'log'),
    // One for each starter: of several at once, each must read what its own PostgreSQL said.
    startLog: join(dataDir, 'log', `start-${process.pid}.log`),
  }
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    mkdirSync(places.logDir, { recursive: true, mode: 0o700 })
    mkdirSync(places.socketDir, { recursive: true, mode: 0o700 })
    closeSync(openSync(places.startLog, 'a', 0o600))
    removeOldStarts(places.logDir)
  } catch (error) {
    throw new StartError(
      `Cannot write to the data directory ${dataDir} (${(error as { code?: string }).code}). Give this user the right to write there, or name another with DATA_DIR.`,
    )
  }
  const socketDir = lstatSync(places.socketDir)
  if (!socketDir.isDirectory() || !trusted(socketDir.uid)) {
    throw new StartError(
      `${places.socketDir} belongs to someone else, so the database socket cannot go there. Remove it, or name a shorter DATA_DIR.`,
    )
  }
  chmodSync(places.socketDir, 0o700)
  return places
}

function removeOldStarts(logDir: string): void {
  for (const name of readdirSync(logDir)) {
    const starter = /^start-(\d+)\.log$/.exec(name)?.[1]
    if (starter && !isAlive(Number(starter))) rmSync(join(logDir, name), { force: true })
  }
}

/** Socket names are limited to about 100 bytes by the operating system: a long data directory gets a short place of its own. */
export function socketDirOf(dataDir: string): string {
  const inside = join(dataDir, 'run')
  if (Buffer.byteLength(join(inside, `.s.PGSQL.${port}`)) <= unixPathLimit) return inside
  const mark = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const short = join(tmpdir(), `lading-${userId}-${mark}`)
  return Buffer.byteLength(join(short, `.s.PGSQL.${port}`)) <= unixPathLimit
    ? short
    : join('/tmp', `lading-${userId}-${mark}`)
}

/** How `initdb` makes a cluster whose databases know all letters, and order texts by their code points. */
export const allLetters: readonly string[] = [
  '--encoding',
  'UTF8',
  '--locale-provider',
  'builtin',
  '--builtin-locale',
  'C.UTF-8',
  '--locale',
  'C',
]

/** Made next to its place and renamed into it, so that a half-made cluster never passes for a whole one. */
export async function createCluster(
  { cluster, dataDir }: Places,
  binaries: Binaries,
  launcher: Launcher,
): Promise<void> {
  if (existsSync(join(cluster, 'PG_VERSION'))) return requireVersion(cluster, binaries)
  removeHalfMade(dataDir)
  const fresh = `${cluster}.new-${process.pid}`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  launcher.own(fresh)
  const { code, output } = await runToEnd(launcher, binaries.initdb, [
    ...['--pgdata', fresh, '--username', superuser, '--auth', 'trust', '--no-instructions'],
    ...allLetters,
  ])
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new StartError(`PostgreSQL could not lay out its data directory in ${dataDir}: ${lastLine(output)}`)
  }
  try {
    renameSync(fresh, cluster)
    syncFolder(dataDir)
  } catch {
    // Another Lading that started at the same moment was quicker; its cluster is as good.
    rmSync(fresh, { recursive: true, force: true })
  }
}

function requireVersion(cluster: string, { major }: Binaries): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (version === major) return
  throw new StartError(
    `The data in ${cluster} was made by PostgreSQL ${version}, and this Lading brings PostgreSQL ${major}. Move it over with pg_dump and pg_restore, or run the Lading that made it.`,
  )
}

function removeHalfMade(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const maker = /^postgres\.new-(\d+)$/.exec(name)?.[1]
    if (maker && !isAlive(Number(maker))) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** As root, PostgreSQL may run as nobody and then owns its socket's directory. */
function trusted(uid: number): boolean {
  return uid === userId || (process.getuid?.() === 0 && uid === nobody)
}
