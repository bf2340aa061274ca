import type { Pool } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/** The secret of the service that has this name: the one that is there, or this one. */
export async function findOrInsertSecret({ run }: Pool, name: string, value: Buffer): Promise<Buffer> {
  await run(sql`insert into service_secrets (name, value) values (${name}, ${value}) on conflict (name) do nothing`)
  const [secret] = await run<{ value: Buffer }>(sql`select value from service_secrets where name = ${name}`)
  return secret?.value as Buffer
}
