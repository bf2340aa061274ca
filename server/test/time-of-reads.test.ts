import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/platform/db/sql/sql.ts'
import { newCaller, saysNow, sharedService } from './service.ts'

const service = await sharedService()

test('a read that says now() is refused by the service under test, however it was put together', async () => {
  const { ctx } = await newCaller(service)
  const time = sql`now()`
  await assert.rejects(ctx.run(sql`select ${sql`coalesce(${time}, null)`} as at`), /must say statement_timestamp/)
  await assert.rejects(ctx.run(sql`select current_date - 1 as day`), /must say statement_timestamp/)
  await ctx.run(sql`select statement_timestamp() as at, 'nowhere' as place`)
  await ctx.transaction((inner) => inner.run(sql`select now() as at`))
})

test('no view and no function of the schema says now(): reads go through them', async () => {
  const said = await service.pool.run<{ name: string; text: string }>(sql`
    select oid::regclass::text as name, pg_get_viewdef(oid) as text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
    union all select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`)
  assert.ok(said.length > 10)
  assert.deepEqual(
    said.filter(({ text }) => saysNow(text)).map(({ name }) => name),
    [],
  )
})
