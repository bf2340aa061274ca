import type { Context } from '../context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../core/schema/pages.ts'
import type { WireRecord } from '../core/schema/revisions.ts'
import { parseDate } from '../core/values/dates.ts'
import { andChanged } from '../db/sql/changed.ts'
import { beyond, keyOf, keyTypesOf, listAndNext, newestFirst, oneMore } from '../db/sql/keyset.ts'
import { each, join, named, type Statement, searching, sql, when } from '../db/sql/sql.ts'
import { isNotice } from './contents/notices-sql.ts'
import { releaseDocument } from './contents/usage-store.ts'
import type { Attachment, Document, DocumentSearch } from './model.ts'
import { objectType, recordTypes, scopeOfUnattached } from './record-types.ts'

export type FoundDocument = WireRecord & {
  id: string
  scopes: string[]
  file_name: string
  media_type: string
  size: number
  sha256: string
}

/** Documents `w` with what they are attached to; the JSON is whole. */
function wholeOf(org: string): Statement {
  return sql`w.open_json || ',"attached_to":[' || coalesce((
    select string_agg(l.json, ',' order by l.created_at, l.record_id) from document_links_wire l where l.org_id = ${org} and l.document_id = w.id), '') || ']}'`
}

/** That somebody still holds the document `w`. Whatever else there is of it the background work deletes. */
function isHeld(org: string): Statement {
  return sql`(not w.was_attached or exists (select from document_links l where l.org_id = ${org} and l.document_id = w.id) or ${isNotice(sql`${org}`, sql`w.id`)})`
}

/** The document and the scopes that it takes, which are none where it is attached to nothing. */
export async function findDocument(ctx: Context, id: string): Promise<FoundDocument | undefined> {
  const [row] = await ctx.run<FoundDocument>(sql`
    select w.id, w.revision, w.file_name, w.media_type, w.size::float8 as size, w.sha256, ${wholeOf(ctx.org)} as json,
      array(select distinct l.scope from document_links_wire l where l.org_id = ${ctx.org} and l.document_id = w.id) as scopes
    from document_files_wire w where w.org_id = ${ctx.org} and w.id = ${each('uuid', id)} and ${isHeld(ctx.org)}`)
  return row
}

/** Those that match and that these scopes allow to see. */
export async function listDocuments(
  ctx: Context,
  search: DocumentSearch & { attachedTo: readonly Attachment[] },
  scopes: readonly string[],
): Promise<string> {
  const { attachedTo, ...asked } = search
  const page = pageOf('documents', { ...asked, scopes: scopes.join() }, keyTypesOf(newestFirst))
  const filter = sql`${filterOf(ctx.org, search)} and ${isSeenBy(ctx.org, scopes)}`
  const rows = sql`select id, ${keyOf(newestFirst)} as key, row_number() over () as place from (
    select w.id, w.created_at from document_files w where ${filter}${beyond(newestFirst, page.after)} order by w.created_at desc, w.id desc ${oneMore(page)}) as ordered`
  const [found] = await ctx.run<FoundRecords>(
    searching(sql`
      select (select count(*)::int from document_files w where ${filter}) as total, listed.list, listed.next
      from (select ${listAndNext(page.limit, sql`whole.json`, sql`page.key`)} from (${rows}) as page
        cross join lateral (select ${wholeOf(ctx.org)} as json from document_files_wire w where w.org_id = ${ctx.org} and w.id = page.id offset 0) whole) as listed`),
  )
  return envelope('documents', found ?? nothingFound, page)
}

function filterOf(org: string, search: DocumentSearch & { attachedTo: readonly Attachment[] }): Statement {
  const since = search.created_start_at === undefined ? undefined : parseDate(search.created_start_at, 'start')
  const until = search.created_end_at === undefined ? undefined : parseDate(search.created_end_at, 'end')
  const isAttached = sql`exists (select from document_links l where l.org_id = ${org} and l.document_id = w.id)`
  return sql`w.org_id = ${org}${andChanged(org, 'document_files', search, sql`w.id`)}
    ${when(search.attached_to, sql`and w.id in (select l.document_id from document_links l where l.org_id = ${org} and (${isOneOf(search.attachedTo)}))`)}
    ${when(search.document_types, sql`and w.document_type = any(${search.document_types}::text[])`)}
    ${when(search.search_term, sql`and position(lower(${search.search_term}) in lower(w.file_name)) > 0`)}
    ${when(search.sha256, sql`and w.sha256 = ${search.sha256?.toLowerCase()}`)}
    ${when(search.attached === true, sql`and ${isAttached}`)} ${when(search.attached === false, sql`and not ${isAttached}`)}
    ${when(since, sql`and w.created_at >= ${since}`)} ${when(until, sql`and w.created_at <= ${until}`)}`
}

/** That the link `l` is to one of these records. An id is that of one object, whatever its kind is called. */
function isOneOf(records: readonly Attachment[]): Statement {
  if (records.length === 0) return sql`false`
  const conditions = records.map(
    ({ type, id }) => sql`(l.record_id = ${id}::uuid and l.record_type = ${storedType(type)})`,
  )
  return join(conditions, sql` or `)
}

export function storedType(type: string): string {
  return Object.hasOwn(recordTypes, type) ? type : objectType
}

/** That the scopes allow all that the document `w` is attached to; and that something holds it. */
function isSeenBy(org: string, scopes: readonly string[]): Statement {
  const links = sql`select from document_links_wire l where l.org_id = ${org} and l.document_id = w.id`
  return sql`not exists (${links} and l.scope <> all(${scopes}::text[]))
    and (exists (${links}) or ((not w.was_attached or ${isNotice(sql`${org}`, sql`w.id`)}) and ${scopes.includes(scopeOfUnattached)}::boolean))`
}

/** The document once it is locked. */
export async function lockDocument(ctx: Context, id: string): Promise<Document | undefined> {
  const locked = await ctx.run(sql`select id from document_files where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findDocument(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

export type NewDocument = Pick<
  Document,
  'id' | 'file_name' | 'media_type' | 'size' | 'sha256' | 'document_type' | 'created_by'
> & { was_attached: boolean }

export async function insertDocument(ctx: Context, document: NewDocument): Promise<void> {
  await ctx.run(sql`
    insert into document_files (org_id, id, file_name, media_type, size, sha256, document_type, was_attached, created_by)
    values (${ctx.org}, ${document.id}, ${document.file_name}, ${document.media_type}, ${document.size}, ${document.sha256}, ${document.document_type},
      ${document.was_attached}, ${document.created_by})`)
}

export async function saveDocument(
  ctx: Context,
  id: string,
  { file_name, document_type, attached_to }: Document,
): Promise<void> {
  await ctx.run(sql`
    update document_files set file_name = ${file_name}, document_type = ${document_type}, was_attached = was_attached or ${attached_to.length > 0}::boolean,
      revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function deleteDocument(ctx: Context, id: string): Promise<void> {
  await releaseDocument(ctx, id)
  await ctx.run(sql`delete from document_files where org_id = ${ctx.org} and id = ${id}`)
}

/** Whether a payee names it, or a change of one that waits. */
export async function isNamedByPayee(ctx: Context, id: string): Promise<boolean> {
  const [row] = await ctx.run<{ named: boolean }>(
    sql`select ${isNotice(sql`${ctx.org}`, sql`d.id`)} as named from document_files d where d.org_id = ${ctx.org} and d.id = ${id}`,
  )
  return row?.named ?? false
}

export type Link = { record_type: string; record_id: string; scope: string }

export async function insertLinks(ctx: Context, document: string, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return
  await ctx.run(sql`
    insert into document_links (org_id, document_id, record_type, record_id, scope)
    select own.org_id, ${document}::uuid, n.record_type, n.record_id, n.scope
    from organizations own cross join jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as n(record_type text, record_id uuid, scope text)
    where own.org_id = ${ctx.org}`)
}

export async function deleteLinks(ctx: Context, document: string, records: readonly string[]): Promise<void> {
  if (records.length === 0) return
  await ctx.run(
    sql`delete from document_links where org_id = ${ctx.org} and document_id = ${document} and record_id = any(${records}::uuid[])`,
  )
}

/** Those of these records that are there. They stay until the transaction ends. */
export async function holdRecords(
  ctx: Context,
  table: string,
  ids: readonly string[],
  byDirection: boolean,
): Promise<{ id: string; direction: string | null }[]> {
  const direction = byDirection ? sql`direction` : sql`null::text as direction`
  return ctx.run(
    sql`select id, ${direction} from ${named(table)} where org_id = ${ctx.org} and id = any(${ids}::uuid[]) order by id for key share`,
  )
}

export async function holdObjects(ctx: Context, ids: readonly string[]): Promise<{ id: string; object_key: string }[]> {
  return ctx.run(
    sql`select id, object_key from objects where org_id = ${ctx.org} and id = any(${ids}::uuid[]) and deleted_at is null order by id for key share`,
  )
}
