import { isCollision } from '../../db/pool/away.ts'
import type { Pool } from '../../db/pool/connect.ts'
import { violatedConstraint } from '../../db/sql/constraints.ts'
import type { Run } from '../../db/sql/rows.ts'
import { sql } from '../../db/sql/sql.ts'

export type StoredKey = { kid: string; private_jwk: object; active_from: Date }

/** Those that are not retired, the newest first. */
export async function listKeys({ run }: Pool): Promise<StoredKey[]> {
  return run<StoredKey>(
    sql`select kid, private_jwk, active_from from signing_keys where retired_at is null or retired_at > statement_timestamp() order by active_from desc, kid`,
  )
}

export async function countKeys({ run }: Pool): Promise<number> {
  const [row] = await run<{ count: number }>(
    sql`select count(*)::int as count from signing_keys where retired_at is null`,
  )
  return row?.count ?? 0
}

export type NewKey = {
  kid: string
  privateJwk: object
  /** Until it signs. */
  delaySeconds: number
  /** How long those before it verify after that. */
  verifiesSeconds: number
  onlyIfNone: boolean
}

/**
 * Puts a key in the place of the one without an end, which gets one. Several processes may do so at once: where `onlyIfNone`, the first key is that of
 * whoever was first, and otherwise they come one after the other.
 */
export async function insertKey(pool: Pool, key: NewKey): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.transaction((run) => replaceKey(run, key))
    } catch (error) {
      const wasSecond = violatedConstraint(error) === 'signing_keys_one_without_end' || isCollision(error)
      if (!wasSecond || attempt === mostAttempts) throw error
    }
  }
}

/** Far more processes than rotate the keys at once. */
const mostAttempts = 20

async function replaceKey(
  run: Run,
  { kid, privateJwk, delaySeconds, verifiesSeconds, onlyIfNone }: NewKey,
): Promise<void> {
  const present = await run(sql`select 1 from signing_keys where retired_at is null limit 1`)
  if (onlyIfNone && present.length > 0) return
  // One that has come since then stays: two keys without an end are refused, and the next attempt finds it.
  if (!onlyIfNone)
    await run(
      sql`update signing_keys set retired_at = now() + ${delaySeconds + verifiesSeconds} * interval '1 second' where retired_at is null`,
    )
  await run(sql`
    insert into signing_keys (kid, private_jwk, active_from) values (${kid}, ${privateJwk}, now() + ${delaySeconds} * interval '1 second')`)
  await run(sql`delete from signing_keys where retired_at < now() - interval '1 day'`)
}
