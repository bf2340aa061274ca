import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Piscina } from 'piscina'
import { Refusal, unavailable } from '../refusal.ts'
import { busy, shareOut } from './shares.ts'

/** What the thread is asked for: a function of a module, and what it is called with. `begun` is set when it begins. */
export type Task = { file: string; name: string; args: readonly unknown[]; begun: Int32Array }
/** What came of it. A refusal comes back as its parts: an error that goes from one thread to another keeps its message alone. */
export type ApartResult =
  | { value: unknown }
  | { refused: Pick<Refusal, 'kind' | 'code' | 'message' | 'details' | 'cause'> }

type Sent = string | Uint8Array | object | number | null
type Options = {
  /** What is not larger is read on the thread that asks, which takes less time than handing it over. 0 where what reads it is not known to be linear. */
  small?: number
  /** How long reading may take once it has begun. */
  deadlineMs?: number
}

/** At the speed of our own readers, 64 KiB take a few milliseconds at most. */
const smallSize = 64 * 2 ** 10
const longestMs = 30_000
/** Three, so that one that takes long does not keep all others waiting; a fourth only where there is a processor for it. */
const atOnce = Math.max(3, Math.min(4, availableParallelism() - 1))
const idleMs = 20_000
const mostMegabytes = 512

/** What a thread is used for: to read what arrived, or to draw a paper; `write`, where a transaction waits for the paper. */
export type ThreadUse = 'read' | 'draw' | 'write'

/**
 * The threads, which organizations share: to have a second one, an organization leaves one for a paper and one for what arrives of the others, and no paper
 * takes the last. A paper of 50 lines takes 0.2 s: the last of those that may wait has its turn before its caller gives up.
 */
export const threads = shareOut<ThreadUse>({
  places: atOnce,
  mayEnter: (held, free, _, use) => free > (held > 0 ? 2 : use === 'read' ? 0 : 1),
  mostWaiting: (_, use) => (use === 'read' ? 50 : 16),
  waitMs: 60_000,
  // Who sends a file may be a mail server, which comes again.
  refuse: (held, use) =>
    use === 'read'
      ? unavailable('Too many files are being read at this moment. Send it again shortly.', undefined, 5)
      : held > 0
        ? busy('papers')
        : drawingBusy(),
})

let pool: Promise<Piscina<Task, ApartResult>> | undefined

/**
 * A reader of what others send, so that it can hold up nobody: what is not small is read in a thread of a pool, and the thread is ended where that takes
 * too long or too much memory (docs/decisions/faults.md). `read` is exported by the module `file`; its arguments and its result are copied between threads, so they
 * are plain data, and bytes come out as Uint8Array. The reader is called with the organization that it reads for, which has its turn among the others.
 */
export function runInThread<A extends readonly Sent[], R>(
  file: string,
  read: (...args: A) => R | Promise<R>,
  { small = smallSize, deadlineMs = longestMs }: Options = {},
): (org: string, ...args: A) => Promise<R> {
  return async (org, ...args) => {
    if (sizeOf(args) <= small) return read(...args)
    const leave = await threads.enter(org)
    return callApart({ file, name: read.name, args }, { deadlineMs, costly }).finally(leave) as Promise<R>
  }
}

type Asked = {
  deadlineMs: number
  /** The refusal of what takes too much, for this reason. */
  costly(why: string): Refusal
  /** Aborted when nobody waits for it any more: then it is not begun, or its thread is ended. */
  signal?: AbortSignal | undefined
}

/** Calls a function in a thread of the pool, whatever the size of its arguments. Whoever calls it has one of `threads`. */
export async function callApart(asked: Omit<Task, 'begun'>, { deadlineMs, costly, signal }: Asked): Promise<unknown> {
  if (signal?.aborted) throw abandoned()
  pool ??= openPool()
  const begun = new Int32Array(new SharedArrayBuffer(4))
  const ending = new AbortController()
  const end = () => ending.abort()
  signal?.addEventListener('abort', end)
  let deadline: NodeJS.Timeout | undefined
  let isOver = false
  // Waiting for a thread does not count: whoever waits is not to blame for those before.
  void Promise.resolve(Atomics.waitAsync(begun, 0, 0).value).then(() => {
    if (!isOver) deadline = setTimeout(end, deadlineMs)
  })
  try {
    const read = await (await pool).run({ ...asked, begun }, { signal: ending.signal })
    if ('value' in read) return read.value
    const { kind, code, message, details, cause } = read.refused
    throw new Refusal(kind, code, message, { details, cause })
  } catch (error) {
    if (signal?.aborted) throw abandoned()
    throw refusalOf(error, ending.signal.aborted, deadlineMs, costly)
  } finally {
    isOver = true
    clearTimeout(deadline)
    signal?.removeEventListener('abort', end)
  }
}

/** Loaded and started with the first file that needs it; without one for a while its threads end. They do not keep the process. */
async function openPool(): Promise<Piscina<Task, ApartResult>> {
  const { Piscina } = await import('piscina')
  return new Piscina<Task, ApartResult>({
    filename: fileURLToPath(new URL('./apart-program.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: atOnce,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    recordTiming: false,
  })
}

function refusalOf(error: unknown, isLate: boolean, deadlineMs: number, costly: Asked['costly']): unknown {
  if (error instanceof Refusal) return error
  if (isLate) return costly(`it takes longer than ${deadlineMs / 1000} s`)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return costly(`it takes more than ${mostMegabytes} MiB of memory`)
  return error
}

/** Nobody reads it: whoever asked has hung up. */
function abandoned(): Refusal {
  return unavailable('Nobody waits for this any more.')
}

function drawingBusy(): Refusal {
  return unavailable('The server draws as many papers as it can at this moment. Try again shortly.', undefined, 5)
}

function costly(why: string): Refusal {
  return new Refusal(
    'too_large',
    'too_costly_to_read',
    `What was sent cannot be read: ${why}. Send it in smaller parts.`,
  )
}

function sizeOf(args: readonly Sent[]): number {
  return args.reduce<number>(
    (sum, sent) => sum + (typeof sent === 'string' || sent instanceof Uint8Array ? sent.length : 0),
    0,
  )
}
