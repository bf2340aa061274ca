import type { Run } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'

type Writer = { readonly org: string; readonly run: Run }

/** The next number of a kind of record; nobody else gets one of that kind until this transaction ends. */
export function takeNumber(ctx: Writer, name: string): Promise<number> {
  return takeNumbers(ctx, name, 1)
}

/** So many numbers in a row; this is the first of them. */
export async function takeNumbers({ org, run }: Writer, name: string, count: number): Promise<number> {
  const [row] = await run<{ value: number }>(sql`
    insert into counters as c (org_id, name, value) values (${org}, ${name}, ${count}) on conflict (org_id, name) do update set value = c.value + excluded.value returning value`)
  return (row?.value as number) - count + 1
}
