import type { Run } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'
import { functionFault, viewFault } from './cluster-rules.ts'

/** Tables that belong to no organization, and why. Whoever adds one says so here. */
export const sharedTables: Record<string, string> = {
  schema_migrations: 'the history of the schema itself',
  people: 'one person may sign in to several organizations, with one password',
  currencies: 'ISO 4217, the same for everyone',
  signing_keys: 'one issuer signs for all organizations',
  service_secrets: 'secrets of the service itself',
  backups: 'a backup holds all organizations',
  serving_processes: 'every process checks the tokens of all organizations',
  background_jobs: 'work for all organizations together, done by one process for all',
  oidc_records: 'a person signs in before an organization is chosen',
  sign_in_failures: 'guesses are counted before anyone is known to be a user of anything',
}

/**
 * Where tables are on a cluster (distribute.ts): those of an organization are spread by org_id, and the shared ones are on the first node, except these.
 * Of these every node has a copy: they are read everywhere and seldom written, or others refer to them.
 */
export const copiedTables: readonly string[] = [
  'schema_migrations',
  'people',
  'currencies',
  'signing_keys',
  'service_secrets',
]

/** Tables with an org_id that are on the first node of a cluster all the same, and why. */
export const unspreadTables: Record<string, string> = {
  revocations: 'every process reads those of all organizations every second',
}

/** Indexes that do not begin with org_id, and why. */
export const crossingIndexes: Record<string, string> = {
  users_person: 'signing in looks for the organizations of a person',
  users_invited: 'signing in with a first password looks for who invited that address',
  revocations_time: 'every process keeps the revocations of all organizations in memory',
  revocations_written_by: 'every process reads what was revoked since it last read, in all organizations',
}

/**
 * Reads the catalogue and names everything that could let one organization see or touch another's rows. Tests and `lading doctor` run it,
 * so a table added later is held to it too.
 */
export async function tenancyFaults(run: Run): Promise<string[]> {
  const rows = await run<{ fault: string }>({
    text: faults,
    values: [Object.keys(sharedTables), Object.keys(crossingIndexes)],
  })
  return rows.map(({ fault }) => fault)
}

/** What in the catalogue would keep the schema from being spread over the nodes of a cluster, in sentences. */
export async function clusterFaults(run: Run): Promise<string[]> {
  const keys = await run<{ name: string; here: string; there: string; own: boolean; target: boolean }>(sql`
    select f.conname as name, c.relname as here, t.relname as there, ${hasOrganization('c')} as own, ${hasOrganization('t')} as target
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace`)
  const views = await run<{ name: string; text: string }>(sql`
    select c.relname as name, pg_get_viewdef(c.oid) as text from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`)
  const functions = await run<{ name: string; text: string }>(sql`
    select f.oid::regprocedure::text as name, pg_get_functiondef(f.oid) as text from pg_proc f join pg_language l on l.oid = f.prolang
    where f.pronamespace = 'public'::regnamespace and f.prokind = 'f' and l.lanname = 'sql'
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')`)
  const tables = await run<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`,
  )
  const names = new Set(tables.map(({ name }) => name))
  const isSpread = (table: string, own: boolean) => own && !(table in unspreadTables)
  return [
    ...keys
      .filter(({ here, there, own, target }) =>
        isSpread(here, own) ? !isSpread(there, target) && !copiedTables.includes(there) : isSpread(there, target),
      )
      .map(
        ({ name, here, there }) => `${here}: the foreign key ${name} leads to ${there}, which is not on the same node.`,
      ),
    ...views.flatMap(({ name, text }) => viewFault(text, names)?.replace(/^/, `The view ${name} `).concat('.') ?? []),
    ...functions.flatMap(
      ({ name, text }) => functionFault(text)?.replace(/^/, `The function ${name} `).concat('.') ?? [],
    ),
  ]
}

const hasOrganization = (alias: 'c' | 't') =>
  alias === 'c'
    ? sql`exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped)`
    : sql`exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'org_id' and not a.attisdropped)`

const faults = `
  with tables as (
    select c.oid, c.relname as name, c.relrowsecurity as guarded, c.relforcerowsecurity as forced, c.relowner as owner,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and a.attnotnull and not a.attisdropped) as owned
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  ), keys as (
    select i.indrelid, ic.relname as name, i.indisprimary,
      (select a.attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0]) as first_column
    from pg_index i join pg_class ic on ic.oid = i.indexrelid
  ), policies as (
    select p.polrelid, p.polname as name, p.polpermissive as permissive, p.polroles && array[0::oid, 'lading_app'::regrole::oid] as for_requests,
      p.polcmd = '*' and p.polroles = array[0::oid] and pg_get_expr(p.polqual, p.polrelid) = own and pg_get_expr(p.polwithcheck, p.polrelid) = own as keeps_apart
    from pg_policy p, (values ('(org_id = (NULLIF(current_setting(''app.org_id''::text, true), ''''::text))::uuid)')) as rule(own)
  )
  select name || ' has no org_id and is not on the list of shared tables.' as fault from tables where not owned and name <> all ($1)
  union all select name || ' is not under forced row-level security.' from tables where owned and not (guarded and forced)
  union all select t.name || ' has no policy for its organization.' from tables t
    where t.owned and not exists (select from policies p where p.polrelid = t.oid and p.keeps_apart)
  union all select t.name || ': the policy ' || p.name || ' lets requests see more than their organization.' from tables t
    join policies p on p.polrelid = t.oid where t.owned and p.permissive and p.for_requests and not p.keeps_apart
  union all select t.name || ' has no primary key that begins with org_id.' from tables t where t.owned and not exists (
    select from keys k where k.indrelid = t.oid and k.indisprimary and k.first_column = 'org_id')
  union all select t.name || ': the index ' || k.name || ' does not begin with org_id.' from tables t join keys k on k.indrelid = t.oid
    where t.owned and k.first_column is distinct from 'org_id' and k.name <> all ($2)
  union all select t.name || ': the foreign key ' || f.conname || ' does not carry org_id.' from pg_constraint f
    join tables t on t.oid = f.conrelid join tables target on target.oid = f.confrelid
    where f.contype = 'f' and t.owned and target.owned and not exists (
      select from unnest(f.conkey, f.confkey) as pair(here, there)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = pair.here and a.attname = 'org_id'
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = pair.there and b.attname = 'org_id')
  union all select t.name || ' lets requests ' || privilege || ' it, which row-level security does not look at.'
    from tables t, unnest(array['truncate', 'references', 'trigger']) as privilege where t.owned and has_table_privilege('lading_app', t.oid, privilege)
  union all select t.name || ' has the trigger ' || g.tgname || ', which cannot be distributed.' from tables t
    join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
  union all select t.name || ' is owned by the serving role.' from tables t where t.owner = 'lading_app'::regrole
  union all select 'The view ' || c.relname || ' reads with its owner''s rights instead of its caller''s.' from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false)
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all select 'Requests may read ' || c.oid::regclass || ', which row-level security does not guard.' from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema') and (c.relkind in ('m', 'f') or c.relkind in ('r', 'p', 'v') and n.nspname <> 'public')
      and has_schema_privilege('lading_app', n.oid, 'usage') and has_any_column_privilege('lading_app', c.oid, 'select')
  union all select 'The function ' || f.oid::regprocedure || ' runs with its owner''s rights instead of its caller''s.' from pg_proc f
    where f.pronamespace = 'public'::regnamespace and f.prosecdef and has_function_privilege('lading_app', f.oid, 'execute')
  union all select 'The serving role may bypass row-level security.' from pg_roles where rolname = 'lading_app' and (rolbypassrls or rolsuper)
  union all select 'The serving role has the rights of ' || m.roleid::regrole || ' too.' from pg_auth_members m where m.member = 'lading_app'::regrole`
