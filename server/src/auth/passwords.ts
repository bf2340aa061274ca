import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../core/refusal.ts'

const hash = promisify(argon2)
const earnest = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
let cost = earnest
const atOnce = 2
const mostWaiting = 64
const mostOfOneSource = 8

/** `ahead`: people in browsers that know them, whom a flood of strangers must not keep out. Of one `source` only a few wait at a time. */
export type Place = { ahead?: boolean; source?: string | undefined }
type Waiting = { source: string | undefined; go: () => void }

let running = 0
const ahead: Waiting[] = []
const behind: Waiting[] = []

/** argon2id, kept as a PHC string that names its own parameters. */
export async function hashPassword(password: string, place: Place = {}): Promise<string> {
  const salt = randomBytes(16)
  const tag = await inTurn(() => hash('argon2id', { message: password.normalize('NFKC'), nonce: salt, ...cost }), place)
  return written(salt, tag)
}

/** For tests, which sign in by the hundred. A function and no setting, so that nobody who runs Lading comes by it. */
export function hashCheaply(cheaply: boolean): void {
  cost = cheaply ? { ...earnest, memory: 8, passes: 1 } : earnest
}

/** Takes the same time whether there is such a user or not: without a hash it compares with one that nothing matches. */
export async function verifyPassword(password: string, stored: string | null, place: Place = {}): Promise<boolean> {
  const [, , , parameters = '', salt = '', tag = ''] = (stored ?? nobodys()).split('$')
  const [memory, passes, parallelism] = parameters.split(',').map((part) => Number(part.slice(2)))
  const expected = Buffer.from(tag, 'base64')
  const actual = await inTurn(
    () =>
      hash('argon2id', {
        message: password.normalize('NFKC'),
        nonce: Buffer.from(salt, 'base64'),
        memory: memory as number,
        passes: passes as number,
        parallelism: parallelism as number,
        tagLength: expected.length,
      }),
    place,
  )
  return timingSafeEqual(actual, expected) && stored !== null
}

function nobodys(): string {
  return written(randomBytes(16), randomBytes(32))
}

function written(salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** Hashing fills the thread pool that everything else needs too: two at a time, bounded lines behind them. */
async function inTurn<T>(work: () => Promise<T>, place: Place): Promise<T> {
  if (running >= atOnce) await waitInLine(place)
  else running += 1
  try {
    return await work()
  } finally {
    const next = ahead.shift() ?? behind.shift()
    if (next) next.go()
    else running -= 1
  }
}

async function waitInLine({ ahead: goesAhead = false, source }: Place): Promise<void> {
  const line = goesAhead ? ahead : behind
  const tooMany = source !== undefined && line.filter((one) => one.source === source).length >= mostOfOneSource
  if (tooMany || line.length >= mostWaiting)
    throw new Refusal('unavailable', 'busy', 'Too many people are signing in at this moment. Try again shortly.', { headers: { 'retry-after': '2' } })
  await new Promise<void>((go) => line.push({ source, go }))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
