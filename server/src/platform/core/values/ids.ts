import { createHash, randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(16 * 256)
let used = pool.length
let lastMillisecond = 0
let counter = 0

/**
 * A UUID version 7 (RFC 9562): time first, so that rows written together lie together on disk.
 * The 12 bits after the time count within one millisecond: ids made by one process rise strictly.
 */
export function newId(now: number = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, used + 16)
  used += 16
  if (now > lastMillisecond) {
    lastMillisecond = now
    counter = bytes.readUInt16BE(6) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMillisecond += 1
    counter = 0
  }
  bytes.writeUIntBE(lastMillisecond, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const uuidInAnyCase = new RegExp(uuid, 'i')

export function isId(text: string): boolean {
  return uuidInAnyCase.test(text)
}

/** An id as we write it, in lower case; null for what is none. */
export function readId(text: string): string | null {
  if (uuid.test(text)) return text
  return isId(text) ? text.toLowerCase() : null
}

/** How a caller names a record: by our id, by the id it has elsewhere, or, of a kind that has numbers, by the number that people read. */
export type Reference = PlainReference | { by: 'number'; number: number; full: string }
/** Of a kind that has no numbers. */
export type PlainReference = { by: 'id'; id: string } | { by: 'external_id'; external_id: string }

/**
 * Reads `<uuid>`, `ext:<external_id>` or `external_id:<external_id>`, and a number such as `BILL-000123` where records have them: `prefix` is what theirs
 * begin with, or `any` where that differs. Anything else is not a reference.
 */
export function parseReference(text: string): PlainReference | null
export function parseReference(text: string, prefix: string | undefined): Reference | null
export function parseReference(text: string, prefix?: string): Reference | null {
  const external = /^(?:ext|external_id):(.+)$/su.exec(text)?.[1]
  if (external !== undefined) return { by: 'external_id', external_id: external }
  const id = readId(text)
  if (id !== null) return { by: 'id', id }
  const written = prefix === undefined ? null : numberIn(text)
  if (!written || (prefix !== 'any' && written.prefix !== prefix)) return null
  return { by: 'number', number: written.number, full: `${written.prefix}-${written.number}` }
}

/** The parts of a number that people read, in capitals or not, with zeros in front or not. */
export function numberIn(text: string): { prefix: string; number: number } | null {
  const [, prefix = '', digits] = /^([A-Z][A-Z0-9]{0,9})-0{0,9}([1-9]\d{0,9})$/i.exec(text) ?? []
  const number = Number(digits)
  return number <= 2 ** 31 - 1 ? { prefix: prefix.toUpperCase(), number } : null
}

/** What a refusal calls the record that was asked for. */
export function sentAs(reference: Reference): string {
  if (reference.by === 'number') return reference.full
  return reference.by === 'id' ? reference.id : reference.external_id
}

/** The moment in a UUID version 7. */
export function timeIn(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** The smallest id that can be made in this millisecond, to compare with: those made before it are smaller. */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, Math.min(milliseconds, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** A UUID version 8 (RFC 9562) for what has a name and no id: the same for the same name. */
export function idOfName(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
