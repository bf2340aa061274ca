import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { makeLine, type PlaceInLine } from './line.ts'

const hash = promisify(argon2)
const earnest = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
let cost = earnest

/** Hashing fills the thread pool that everything else needs too. */
const inTurn = makeLine(2)

/** argon2id, kept as a PHC string that names its own parameters. */
export async function hashPassword(password: string, place: PlaceInLine = {}): Promise<string> {
  const salt = randomBytes(16)
  const tag = await inTurn(() => hash('argon2id', { message: password.normalize('NFKC'), nonce: salt, ...cost }), place)
  return written(salt, tag)
}

/** For tests, which sign in by the hundred. A function and no setting, so that nobody who runs Lading comes by it. */
export function hashCheaply(cheaply: boolean): void {
  cost = cheaply ? { ...earnest, memory: 8, passes: 1 } : earnest
}

/** Takes the same time whether there is such a user or not: without a hash it compares with one that nothing matches. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  place: PlaceInLine = {},
): Promise<boolean> {
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

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
