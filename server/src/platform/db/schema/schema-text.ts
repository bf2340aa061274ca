import type { Run } from '../sql/rows.ts'
import { named, sql } from '../sql/sql.ts'

type Table = { name: string; columns: string[]; constraints: Constraint[]; after: string[]; options: string | null }
type Constraint = { name: string; text: string; target: string | null }

/**
 * The schema as it is, in SQL that makes the same again in an empty database: functions, then each table with its constraints, indexes, policies and
 * grants together, then views. Tables come in the order in which they were made; a foreign key to a later table follows that one.
 */
export async function schemaText(run: Run): Promise<string> {
  const lines = async (statement: string) =>
    (await run<{ text: string }>({ text: statement, values: [] })).map(({ text }) => text)
  const tables = await run<Table>({ text: tablesAsText, values: [] })
  return `${[...(await lines(extensions)), ...(await lines(schemaGrants)), ...(await lines(domains)), ...(await lines(functions)), ...withKeys(tables), ...(await lines(views)), ...(await lines(comments))].join('\n\n')}\n`
}

/** An empty one on the same server, to load the text into. */
export async function createDatabase(run: Run, name: string): Promise<void> {
  await run(sql`create database ${named(name)}`)
}

/** The tables as statements. What is written under a table is about that table alone. */
function withKeys(tables: readonly Table[]): string[] {
  const made = new Set<string>()
  const waiting: { table: string; constraint: Constraint }[] = []
  return tables.map(({ name, columns, constraints, after, options }) => {
    made.add(name)
    const isReady = ({ target }: Constraint) => target === null || made.has(target)
    waiting.push(
      ...constraints.filter((constraint) => !isReady(constraint)).map((constraint) => ({ table: name, constraint })),
    )
    const inside = [...columns, ...constraints.filter(isReady).map(constraintText)]
    const late = waiting.filter(({ constraint }) => constraint.target === name)
    return [
      `create table ${name} (\n  ${inside.join(',\n  ')}\n)${options ? ` with (${options})` : ''};`,
      ...after.map((statement) => `${statement};`),
      ...late.map(({ table, constraint }) => `alter table ${table} add ${constraintText(constraint)};`),
    ].join('\n')
  })
}

function constraintText({ name, text }: Constraint): string {
  return `constraint ${name} ${text}`
}

/** Those that the migrations add. */
const extensions = `select 'create extension ' || extname || ';' as text from pg_extension where extname not in ('plpgsql', 'citus', 'citus_columnar') order by 1`

const schemaGrants = `
  select 'grant ' || lower(acl.privilege_type) || ' on schema public to ' || acl.grantee::regrole || ';' as text
  from pg_namespace n cross join lateral aclexplode(n.nspacl) as acl where n.nspname = 'public' and acl.grantee = 'lading_app'::regrole order by 1`

const domains = `
  select 'create domain ' || t.typname || ' as ' || format_type(t.typbasetype, t.typtypmod)
    || coalesce((select string_agg(' constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid, true), '' order by c.conname) from pg_constraint c where c.contypid = t.oid), '')
    || ';' as text
  from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'd' order by t.oid`

/** Their bodies are checked when they run: some read tables that are made below. */
const functions = `
  select 'set check_function_bodies = off;' as text
  union all (select rtrim(replace(pg_get_functiondef(f.oid), ' public.', ' '), E' \\n') || ';'
    from pg_proc f where f.pronamespace = 'public'::regnamespace and f.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e') order by f.oid)`

const columnsAsText = `
  select array_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attcollation <> 0 and a.attcollation <> t.typcollation then ' collate ' || quote_ident(co.collname) else '' end
      || case when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid, true) || ') stored'
           when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
           when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid, true) else '' end
      || case when a.attnotnull then ' not null' else '' end order by a.attnum)
  from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_collation co on co.oid = a.attcollation
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

/** One that was not checked against old rows, because none can break it, holds for every new one as any other does. */
const constraintsAsText = `
  select json_agg(json_build_object('name', k.conname, 'text', regexp_replace(pg_get_constraintdef(k.oid, true), ' NOT VALID$', ''), 'target', target.relname)
    order by array_position(array['p', 'u', 'x', 'c', 'f'], k.contype::text), k.conname)
  from pg_constraint k left join pg_class target on target.oid = k.confrelid where k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'c', 'f')`

/** The roles of a policy or a grant. Whoever owns the schema is called so, whatever its name is here. */
const roleName = (oid: string, owner: string) =>
  `case when ${oid} = 0 then 'public' when ${oid} = ${owner} then 'current_user' else ${oid}::regrole::text end`

const indexes = `
  select 1 as part, i.relname as name, pg_get_indexdef(x.indexrelid, 0, true) as text from pg_index x join pg_class i on i.oid = x.indexrelid
  where x.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))`

const settings = `
  select 2, a.attname::text, format('alter table %s alter %s set %s', c.oid::regclass, quote_ident(a.attname), 'statistics ' || a.attstattarget)
  from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attstattarget >= 0
  union all select 2, a.attname::text, format('alter table %s alter %s set storage %s', c.oid::regclass, quote_ident(a.attname),
      case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end)
  from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attstorage <> t.typstorage
  union all select 3, s.stxname::text, replace(pg_get_statisticsobjdef(s.oid), ' public.', ' ') from pg_statistic_ext s where s.stxrelid = c.oid`

const policies = `
  select 4, '', format('alter table %s enable row level security', c.oid::regclass) where c.relrowsecurity
  union all select 5, '', format('alter table %s force row level security', c.oid::regclass) where c.relforcerowsecurity
  union all select 6, p.polname::text, format('create policy %I on %s%s for %s to %s', p.polname, c.oid::regclass, case when p.polpermissive then '' else ' as restrictive' end,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(${roleName('role', 'c.relowner')}, ', ' order by role) from unnest(p.polroles) as role))
    || coalesce(' using (' || pg_get_expr(p.polqual, p.polrelid, true) || ')', '') || coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', '')
  from pg_policy p where p.polrelid = c.oid
  union all select 7, t.tgname::text, pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal`

const grants = `
  select 8, grantee, 'grant ' || string_agg(lower(privilege), ', ' order by privilege) || ' on ' || c.oid::regclass || ' to ' || grantee from (
    select ${roleName('acl.grantee', 'c.relowner')} as grantee, acl.privilege_type as privilege from aclexplode(c.relacl) as acl where acl.grantee <> c.relowner
    union all select ${roleName('acl.grantee', 'c.relowner')}, acl.privilege_type || ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum) || ')'
      from pg_attribute a cross join lateral aclexplode(a.attacl) as acl where a.attrelid = c.oid and acl.grantee <> c.relowner group by 1, acl.privilege_type) as granted
  group by grantee`

const tablesAsText = `
  select c.oid::regclass::text as name, (${columnsAsText}) as columns, coalesce((${constraintsAsText}), '[]') as constraints,
    array_to_string(c.reloptions, ', ') as options,
    coalesce((select array_agg(text order by part, name) from (${indexes} union all ${settings} union all ${policies} union all ${grants}) as said(part, name, text)), '{}') as after
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.oid`

const views = `
  select format('create view %s%s as', c.oid::regclass, coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '')) || E'\\n' || pg_get_viewdef(c.oid, true)
    || coalesce((select E'\\n' || string_agg(text || ';', E'\\n' order by text) from (${grants}) as said(part, name, text)), '') as text
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' order by c.oid`

const comments = `
  select format('comment on %s %s is %L;', case c.relkind when 'v' then 'view' else 'table' end, c.oid::regclass, d.description) as text
  from pg_description d join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by 1`
