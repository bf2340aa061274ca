import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Binaries } from '../server/src/platform/db/postgres/binaries.ts'

/** The oldest that Lading promises to run on: what works there works on the newer ones, which the embedded server stands for. */
const oldest = 15

/** The oldest PostgreSQL on this machine that is new enough, where Debian, Red Hat and the search path keep them. */
export function findPostgres(): Binaries | null {
  const folders = [
    ...globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin']),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  const found = folders.flatMap((folder) => binariesIn(folder)).filter(({ major }) => Number(major) >= oldest)
  return found.sort((a, b) => Number(a.major) - Number(b.major))[0] ?? null
}

/** Installs Debian's, or where there is no 15, the one that the distribution has. */
export function installPostgres(): Binaries | null {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return null
  // The package would otherwise make and start a cluster of its own.
  mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true })
  writeFileSync('/etc/postgresql-common/createcluster.d/no-main-cluster.conf', 'create_main_cluster = false\n')
  aptGet('update')
  if (!aptGet('install', '--yes', '--no-install-recommends', 'postgresql-15'))
    aptGet('install', '--yes', '--no-install-recommends', 'postgresql')
  return findPostgres()
}

function binariesIn(folder: string): Binaries[] {
  const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  if (!existsSync(binaries.initdb) || !existsSync(binaries.postgres)) return []
  const major = / (\d+)/.exec(spawnSync(binaries.postgres, ['--version']).stdout.toString())?.[1]
  return major ? [{ ...binaries, major }] : []
}

function aptGet(...args: string[]): boolean {
  process.stdout.write(`apt-get ${args.join(' ')}\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return (
    spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    }).status === 0
  )
}
