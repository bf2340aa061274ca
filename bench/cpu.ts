import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of a processor, of Node and of PostgreSQL. Other work on the machine disturbs it far less than any time. */
export type Cpu = { node: number; postgres: number }

const msPerTick = 10

/** What a process and the PostgreSQL of a data directory have taken since they began; nothing where there is no /proc to read it from. */
export function cpuOf(pid: number, dataDir: string): Cpu | undefined {
  try {
    const postmaster = Number(readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0])
    const { own, ended } = ticksOf(postmaster)
    const connections = childrenOf(postmaster).reduce((sum, child) => sum + ticksOf(child).own, 0)
    return { node: ticksOf(pid).own * msPerTick, postgres: (own + ended + connections) * msPerTick }
  } catch {
    return undefined
  }
}

/** `ended`: of children that are gone. */
function ticksOf(pid: number): { parent: number; own: number; ended: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may hold spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15) as [number, number, number, number]
  return { parent: fields[1] as number, own: user + system, ended: endedUser + endedSystem }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isChild(pid, parent))
}

/** A process may end while it is looked at. */
function isChild(pid: number, parent: number): boolean {
  try {
    return ticksOf(pid).parent === parent
  } catch {
    return false
  }
}
