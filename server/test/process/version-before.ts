/** The program as it was before the schema last changed, for tests of an upgrade. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type VersionBefore = { commit: string; program: string; migrations: string[] }

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * The last release with fewer migrations than there are here; where none is tagged, the last commit of this branch with fewer. It is laid out with the
 * packages that are installed here, and kept: what Node has compiled of it is found again by its path. Or why there is none.
 */
export function versionBefore(): VersionBefore | string {
  const commit = findCommit()
  if (!commit) return 'the history that git has here does not go back to a version with fewer migrations'
  const folder = join(root, '.cache/before', commit)
  if (!existsSync(folder)) layOut(commit, folder)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const missing = Object.keys(dependencies).find(
    (name) => !['', 'server/'].some((place) => existsSync(join(folder, place, 'node_modules', name))),
  )
  if (missing) return `the version before, ${commit}, needs ${missing}, which is not installed here`
  return {
    commit,
    program: join(folder, 'server/bin/lading.js'),
    migrations: migrationsOf(readdirSync(join(folder, 'server/migrations'))),
  }
}

/** Under its name only when it is whole. */
function layOut(commit: string, folder: string): void {
  rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 5 })
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  execFileSync('tar', ['-x', '-C', unfinished], {
    input: git(['archive', '--format=tar', commit, 'package.json', 'server', 'console/public', 'docs']),
  })
  for (const place of ['node_modules', 'server/node_modules'])
    if (existsSync(join(root, place))) symlinkSync(join(root, place), join(unfinished, place))
  renameSync(unfinished, folder)
}

function findCommit(): string | undefined {
  const here = migrationsOf(readdirSync(join(root, 'server/migrations'))).length
  const found = candidates().find((commit) => {
    // Without the baseline it is 0.1, whose databases are carried over by a backup.
    if (lines(['ls-tree', '--name-only', `${commit}:server/schema`]).length === 0) return false
    return migrationsOf(lines(['ls-tree', '--name-only', `${commit}:server/migrations`])).length < here
  })
  return found && lines(['rev-parse', `${found}^{commit}`])[0]
}

function candidates(): string[] {
  const tags = lines(['tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-creatordate'])
  return [
    ...tags,
    'HEAD',
    ...lines(['rev-list', '--first-parent', '--max-count=50', 'HEAD', '--', 'server/migrations']).map(
      (commit) => `${commit}^`,
    ),
  ]
}

function migrationsOf(files: readonly string[]): string[] {
  return files.filter((name) => name.endsWith('.sql')).sort()
}

/** Nothing where git cannot say: there is no git, no repository, or no such commit in a clone without its history. */
function lines(args: string[]): string[] {
  try {
    return git(args).toString('utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function git(args: string[]): Buffer {
  return execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
}
