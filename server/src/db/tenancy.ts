import type { Pool } from './connect.ts'

/** Tables that belong to no organization, and why. Whoever adds one says so here. */
export const sharedTables: Record<string, string> = {
  schema_migrations: 'the history of the schema itself',
  people: 'one person may be a user of several organizations, with one password',
  currencies: 'ISO 4217, the same for everyone',
  signing_keys: 'one issuer signs for all organizations',
}

/**
 * Reads the catalogue and names everything that could let one organization see or touch another's rows. Tests and `lading doctor` run it,
 * so a table added later is held to it too.
 */
export async function tenancyFaults(pool: Pool): Promise<string[]> {
  const rows = await pool<{ fault: string }[]>`
    with tables as (
      select c.oid, c.relname as name, c.relrowsecurity as guarded, c.relforcerowsecurity as forced, c.relowner as owner,
        exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and a.attnotnull and not a.attisdropped) as owned
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    ), keys as (
      select i.indrelid, ic.relname as name, i.indisprimary,
        (select a.attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0]) as first_column
      from pg_index i join pg_class ic on ic.oid = i.indexrelid
    ), policies as (
      select p.polrelid, pg_get_expr(p.polqual, p.polrelid) as seen, pg_get_expr(p.polwithcheck, p.polrelid) as written from pg_policy p where p.polname = 'own_organization'
    )
    select name || ' has no org_id and is not on the list of shared tables.' as fault from tables where not owned and name <> all (${Object.keys(sharedTables)})
    union all select name || ' is not under forced row-level security.' from tables where owned and not (guarded and forced)
    union all select t.name || ' has no policy for its organization.' from tables t where t.owned and not exists (
      select from policies p where p.polrelid = t.oid and p.seen = p.written and p.seen like '%org_id = %current_setting(''app.org_id''%')
    union all select t.name || ' has no primary key that begins with org_id.' from tables t where t.owned and not exists (
      select from keys k where k.indrelid = t.oid and k.indisprimary and k.first_column = 'org_id')
    union all select t.name || ': the index ' || k.name || ' does not begin with org_id.' from tables t join keys k on k.indrelid = t.oid
      where t.owned and k.first_column is distinct from 'org_id' and k.name <> 'users_person'
    union all select t.name || ': the foreign key ' || f.conname || ' does not carry org_id.' from pg_constraint f
      join tables t on t.oid = f.conrelid join tables target on target.oid = f.confrelid
      where f.contype = 'f' and t.owned and target.owned and not exists (
        select from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attname = 'org_id')
    union all select 'The view ' || c.relname || ' reads with its owner''s rights instead of its caller''s.' from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false)
    union all select t.name || ' has the trigger ' || g.tgname || ', which cannot be distributed.' from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
    union all select t.name || ' is owned by the serving role.' from tables t join pg_roles r on r.oid = t.owner where r.rolname = 'lading_app'
    union all select 'The serving role may bypass row-level security.' from pg_roles where rolname = 'lading_app' and (rolbypassrls or rolsuper)`
  return rows.map(({ fault }) => fault)
}
