import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../settings.ts'
import { conflict } from '../core/refusal.ts'
import { writeWholeFile } from '../core/turns/whole-files.ts'

/** A key by which secrets are encrypted. The first of several encrypts; all of them decrypt. */
type Key = { id: string; key: Buffer }

/** What is encrypted: it is part of what the text is bound to, so that one sort of secret cannot be opened as another. */
export type Secret = 'bank details' | 'connection secrets' | 'connection tokens'

/** Whose secret it is. What was encrypted for one record cannot be opened as that of another. */
export type Owner = { org: string; id: string; secret?: Secret }

/** Encrypts secrets of organizations, such as bank details, and reads them again. The keys are never in the database. */
export type Vault = {
  seal(owner: Owner, value: object): string
  open<T extends object>(owner: Owner, sealed: string): T
  /**
   * A text that only who has the keys can make of another: what is kept of a request in the database, without letting anybody try there which numbers it
   * held. Made with the key of an earlier one where that is given, so that both can be compared after another key was added.
   */
  sign(text: string, like?: string): string
  /** The ids of the keys that there are, the one that encrypts first. */
  keyIds(): string[]
  /** Makes another key, which encrypts from now on. Only where the keys are in a file. */
  addKey(): string
}

type Place = Pick<Settings, 'bankDetailsKeys' | 'dataDir' | 'databaseUrl'>

/**
 * The keys are those of BANK_DETAILS_KEYS, or in a file of the data directory, which is made when the first details are encrypted. The file is read each
 * time: another process may have made it, or added a key.
 */
export function openVault({ bankDetailsKeys, dataDir, databaseUrl }: Place): Vault {
  const path = join(dataDir, 'bank-details.keys')
  const known = () => (bankDetailsKeys.length > 0 ? bankDetailsKeys.map(keyOf) : readKeys(path))
  const current = (): Key => {
    const [first] = known()
    if (first) return first
    // Several servers may share a database elsewhere, and each would make a key that the others do not have.
    if (databaseUrl !== null)
      throw keysMissing('This server has no key to encrypt secrets with. Have its operator set BANK_DETAILS_KEYS.')
    if (seen.has(path))
      throw keysMissing('The file with the keys of this server is gone. Have its operator put it back.')
    makeFirstKey(path, dataDir)
    return known()[0] as Key
  }
  return {
    seal: (owner, value) => seal(current(), owner, value),
    sign: (text, like) => sign((like && known().find(({ id }) => id === keyIdIn(like))) || current(), text),
    open(owner, sealed) {
      const id = keyIdIn(sealed)
      const key = known().find((one) => one.id === id)
      if (!key)
        throw keysMissing(
          `A secret is encrypted with the key ${id}, which this server does not have. Have its operator add it.`,
        )
      return open(key, owner, sealed)
    },
    keyIds: () => known().map(({ id }) => id),
    addKey() {
      if (bankDetailsKeys.length > 0 || databaseUrl !== null)
        throw keysMissing(
          'The keys come from BANK_DETAILS_KEYS: put a new one in front of the others there, then run this again without --new-key.',
        )
      const keys = [newKey(), ...known()]
      writeWholeFile(path, textOf(keys), 0o600)
      return keys[0]?.id as string
    },
  }
}

/** A new key in the form of the setting. */
export function newKeyText(): string {
  return textOf([newKey()]).trim()
}

/** The id of the key by which something is encrypted. */
export function keyIdIn(sealed: string): string {
  return sealed.split('.')[1] as string
}

const version = 'v1'

function seal({ id, key }: Key, owner: Owner, value: object): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(owner))
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [version, id, nonce.toString('base64url'), text.toString('base64url')].join('.')
}

function open<T extends object>({ key }: Key, owner: Owner, sealed: string): T {
  const [, , nonce = '', text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
    .setAAD(boundTo(owner))
    .setAuthTag(bytes.subarray(-16))
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8'))
}

/** The key of encryption is used for nothing else: another is made from it. */
function sign({ id, key }: Key, text: string): string {
  const own = createHmac('sha256', key).update(`lading fingerprints ${version}`).digest()
  return [version, id, createHmac('sha256', own).update(text).digest('base64url')].join('.')
}

function boundTo({ org, id, secret = 'bank details' }: Owner): Buffer {
  return Buffer.from(`lading ${secret} ${version} ${org} ${id}`)
}

function keyOf({ id, key }: { id: string; key: string }): Key {
  return { id, key: Buffer.from(key, 'base64') }
}

/** Files in which there were keys: where one is gone, what was encrypted with them is still there, and no other is made. */
const seen = new Set<string>()

function readKeys(path: string): Key[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
  seen.add(path)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => keyOf({ id: line.slice(0, line.indexOf(':')), key: line.slice(line.indexOf(':') + 1) }))
}

/** Of several processes that make the first key at the same moment, one does; the others find it there. */
function makeFirstKey(path: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const own = `${path}.${process.pid}`
  writeWholeFile(own, textOf([newKey()]), 0o600)
  try {
    linkSync(own, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(own, { force: true })
  }
}

function newKey(): Key {
  return { id: randomBytes(6).toString('hex'), key: randomBytes(32) }
}

function textOf(keys: readonly Key[]): string {
  return keys.map(({ id, key }) => `${id}:${key.toString('base64')}\n`).join('')
}

function keysMissing(message: string) {
  return conflict('bank_keys_missing', message)
}
