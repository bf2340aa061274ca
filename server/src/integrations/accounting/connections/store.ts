import type { Context } from '../../../platform/context.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { sql, when } from '../../../platform/db/sql/sql.ts'
import type { ConnectorSettings } from '../catalogue.ts'
import type { Connection, ConnectionSearch, KeptConnection, Status } from './model.ts'

export async function listConnections(ctx: Context, search: ConnectionSearch): Promise<string> {
  const page = pageOf('connectors_orgs', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'connections', search)} ${when(search.connector_ids, sql`and connector_id = any(${search.connector_ids}::text[])`)}
    ${when(search.status_ids, sql`and status = any(${search.status_ids}::text[])`)}`
  const total = sql`(select count(*)::int from connections where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({ total, rows: sql`from connections_wire where ${filter}`, order: newestFirst, page }),
  )
  return envelope('connectors_orgs', found ?? nothingFound, page)
}

export async function findConnection(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from connections_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function lockConnection(ctx: Context, id: string): Promise<KeptConnection | undefined> {
  const [row] = await ctx.run<{ secrets_sealed: string | null }>(
    sql`select secrets_sealed from connections where org_id = ${ctx.org} and id = ${id} for update`,
  )
  const found = row && (await findConnection(ctx, id))
  return found && { ...JSON.parse(found.json), secrets_sealed: row.secrets_sealed }
}

export async function findKept(ctx: Context, id: string): Promise<KeptConnection | undefined> {
  const [row] = await ctx.run<{ json: string; secrets_sealed: string | null }>(sql`
    select w.json, c.secrets_sealed from connections c join connections_wire w on w.org_id = c.org_id and w.id = c.id
    where c.org_id = ${ctx.org} and c.id = ${id}`)
  return row && { ...JSON.parse(row.json), secrets_sealed: row.secrets_sealed }
}

type New = {
  id: string
  connector_id: string
  name: string
  status: Status
  settings: ConnectorSettings
  created_by: string
} & Secrets
type Secrets = { secrets_sealed: string | null; secret_names: readonly string[] }

export async function insertConnection(
  ctx: Context,
  { id, connector_id, name, status, settings, created_by, secrets_sealed, secret_names }: New,
): Promise<void> {
  await ctx
    .run(sql`
      insert into connections (org_id, id, connector_id, name, status, settings, secrets_sealed, secret_names, created_by)
      values (${ctx.org}, ${id}, ${connector_id}, ${name}, ${status}, ${JSON.stringify(settings)}::text::jsonb, ${secrets_sealed}, ${secret_names}::text[], ${created_by})`)
    .catch((error) => {
      if (violatedConstraint(error) !== 'connection_of_a_connector') throw error
      throw conflict(
        'already_connected',
        `There is a connection with ${connector_id} already. An organization has one with each accounting system.`,
      )
    })
}

export async function saveConnection(
  ctx: Context,
  { id, name, settings, secrets_sealed, secret_names }: Pick<Connection, 'id' | 'name' | 'settings'> & Secrets,
): Promise<void> {
  await ctx.run(sql`
    update connections set name = ${name}, settings = ${JSON.stringify(settings)}::text::jsonb, secrets_sealed = ${secrets_sealed}, secret_names = ${secret_names}::text[],
      revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`)
}

export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from connections where org_id = ${ctx.org} and id = ${id}`).catch((error) => {
    const violation = violatedConstraint(error)
    if (violation !== 'connector_record_connection' && violation !== 'connector_sync_connection') throw error
    throw conflict(
      'connection_in_use',
      'Records were synced through this connection, and what they are there is kept with it. Disconnect it instead.',
    )
  })
}

type SignedIn = { remote_id: string; remote_name: string; tokens_sealed: string }

/** Payments that were made there before the first sign-in stay there. */
export async function saveSignIn(
  ctx: Context,
  id: string,
  { remote_id, remote_name, tokens_sealed }: SignedIn,
): Promise<void> {
  await ctx.run(sql`
    update connections set status = 'connected', error = null, remote_id = ${remote_id}, remote_name = ${remote_name}, tokens_sealed = ${tokens_sealed},
      connected_at = statement_timestamp(), renewing_until = null, waits_until = null,
      payments_until = coalesce(payments_until, ${new Date().toISOString()}::text), revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function saveStatus(
  ctx: Context,
  id: string,
  { status, error }: { status: Status; error: string | null },
): Promise<void> {
  await ctx.run(sql`
    update connections set status = ${status}, error = ${error}, tokens_sealed = case when ${status === 'disconnected'}::boolean then null else tokens_sealed end,
      renewing_until = null, revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}
