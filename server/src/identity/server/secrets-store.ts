import type { Pool } from '../../platform/db/pool/connect.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/** The secret of the service that has this name: the one that is there, or this one. */
export async function findOrInsertSecret({ run }: Pool, name: string, value: Buffer): Promise<Buffer> {
  const find = () => run<{ value: Buffer }>(sql`select value from service_secrets where name = ${name}`)
  const [present] = await find()
  if (present) return present.value
  await run(sql`insert into service_secrets (name, value) values (${name}, ${value}) on conflict (name) do nothing`)
  const [secret] = await find()
  return secret?.value as Buffer
}
