import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Pool } from '../db/connect.ts'

export type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject }

/** The keys that sign access tokens: the newest signs, all that are not retired verify. */
export type Keyring = {
  current(): SigningKey
  find(kid: string): SigningKey | undefined
  all(): readonly SigningKey[]
  reload(): Promise<void>
}

const lock = 4_051_725

/** Loads the service's keys, and makes the first one where there is none. */
export async function openKeyring(pool: Pool): Promise<Keyring> {
  let keys: SigningKey[] = []
  async function reload(): Promise<void> {
    const rows = await pool<{ kid: string; private_jwk: never }[]>`
      select kid, private_jwk from signing_keys where retired_at is null order by created_at desc, kid`
    keys = rows.map(({ kid, private_jwk }) => {
      const privateKey = createPrivateKey({ key: private_jwk, format: 'jwk' })
      return { kid, privateKey, publicKey: createPublicKey(privateKey) }
    })
  }
  await reload()
  if (keys.length === 0) {
    await makeFirstKey(pool)
    await reload()
  }
  return {
    current: () => keys[0] as SigningKey,
    find: (kid) => keys.find((key) => key.kid === kid),
    all: () => keys,
    reload,
  }
}

/** Several processes may start at once on a new database: the lock lets one of them make the key. */
async function makeFirstKey(pool: Pool): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await pool.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${lock})`
    await tx`insert into signing_keys (kid, private_jwk)
      select ${randomBytes(12).toString('base64url')}, ${tx.json(privateKey.export({ format: 'jwk' }) as never)}
      where not exists (select from signing_keys where retired_at is null)`
  })
}
