import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Pool } from '../../db/pool/connect.ts'
import { countKeys, insertKey, listKeys } from './keys-store.ts'

export type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject; activeFrom: number }

/** The keys that sign access tokens: the newest active one signs, all that are not retired verify. */
export type Keyring = {
  current(): SigningKey
  find(kid: string): SigningKey | undefined
  /** For the authorization server: the signing one first. */
  privateJwks(): object[]
  /** Reads the keys again, and says whether anything about them changed. */
  reload(): Promise<boolean>
}

/** A new key waits this long before it signs: by then every process has read it. */
const publishedSeconds = 30
/** A key that signs no more verifies for as long as its last token can live, and a little longer. */
const verifiesSeconds = 2 * 3600

/** Loads the service's keys, and makes the first one where there is none. */
export async function openKeyring(pool: Pool): Promise<Keyring> {
  let keys: SigningKey[] = []
  let mark = ''
  async function reload(): Promise<boolean> {
    const rows = await listKeys(pool)
    keys = rows.map(({ kid, private_jwk, active_from }) => {
      const privateKey = createPrivateKey({ key: private_jwk as never, format: 'jwk' })
      return { kid, privateKey, publicKey: createPublicKey(privateKey), activeFrom: active_from.getTime() }
    })
    const before = mark
    mark = `${keys.map(({ kid }) => kid)} ${current()?.kid}`
    return mark !== before
  }
  const current = () => (keys.find(({ activeFrom }) => activeFrom <= Date.now()) ?? keys.at(-1)) as SigningKey
  await reload()
  if (keys.length === 0) {
    await addKey(pool, 0, true)
    await reload()
  }
  return {
    current,
    find: (kid) => keys.find((key) => key.kid === kid),
    privateJwks: () =>
      [current(), ...keys.filter((key) => key !== current())].map(({ kid, privateKey }) => ({
        ...privateKey.export({ format: 'jwk' }),
        kid,
        alg: 'RS256',
        use: 'sig',
      })),
    reload,
  }
}

/** A new key begins to sign when every process knows it; the old ones go on verifying until the last token they signed has expired. */
export async function rotateKeys(pool: Pool): Promise<string> {
  return addKey(pool, publishedSeconds, false)
}

export function countKeysInUse(pool: Pool): Promise<number> {
  return countKeys(pool)
}

async function addKey(pool: Pool, delaySeconds: number, onlyIfNone: boolean): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = randomBytes(12).toString('base64url')
  await insertKey(pool, {
    kid,
    privateJwk: privateKey.export({ format: 'jwk' }),
    delaySeconds,
    verifiesSeconds,
    onlyIfNone,
  })
  return kid
}
