import type { Pool } from '../pool/connect.ts'
import { sql } from '../sql/sql.ts'

/** `durable`: what was acknowledged is on disk. */
export async function describeServer({ run }: Pool): Promise<{ version: string; durable: boolean }> {
  const [server] = await run<{ version: string; durable: boolean }>(sql`
    select current_setting('server_version') as version, current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as durable`)
  return server as { version: string; durable: boolean }
}
