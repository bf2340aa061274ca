import type { Context } from '../../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { type Statement, sql, when } from '../../../platform/db/sql/sql.ts'
import type { BillQuestion, BillQuestionSearch } from './model.ts'

/** Threads `w` with their messages; the JSON is whole. */
function wholeOf(org: string): Statement {
  return sql`w.open_json || ',"messages":[' || coalesce((
    select string_agg(json_build_object('side', m.side, 'author_id', m.author_id, 'author_name', m.author_name, 'text', m.text, 'created_at', wire_time(m.created_at))::text,
      ',' order by m.place)
    from bill_question_messages m where m.org_id = ${org} and m.question_id = w.id), '') || ']}'`
}

export async function listQuestions(ctx: Context, search: BillQuestionSearch): Promise<string> {
  const page = pageOf('bill_questions', search, keyTypesOf(newestFirst))
  const { bill_ids, partner_carrier_ids, status_ids: states } = search
  const filter = sql`w.org_id = ${ctx.org}${andChanged(ctx.org, 'bill_questions', search)} ${when(bill_ids, sql`and w.bill_id = any(${bill_ids}::uuid[])`)}
    ${when(partner_carrier_ids, sql`and w.partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)} ${when(states, sql`and w.state = any(${states}::text[])`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from bill_questions_wire w where ${filter})`,
      json: wholeOf(ctx.org),
      rows: sql`from bill_questions_wire w where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('questions', found ?? nothingFound, page)
}

export async function findQuestion(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select w.revision, ${wholeOf(ctx.org)} as json from bill_questions_wire w where w.org_id = ${ctx.org} and w.id = ${id}`,
  )
  return row
}

export async function lockQuestion(ctx: Context, id: string): Promise<BillQuestion | undefined> {
  const locked = await ctx.run(sql`select id from bill_questions where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findQuestion(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

/** The thread of a carrier about a bill, made where there is none; locked. `isNew` says which. */
export async function lockThread(
  ctx: Context,
  id: string,
  bill: string,
  carrier: string,
): Promise<{ id: string; isNew: boolean }> {
  const made = await ctx.run(sql`
    insert into bill_questions (org_id, id, bill_id, partner_carrier_id) values (${ctx.org}, ${id}, ${bill}, ${carrier})
    on conflict (org_id, bill_id, partner_carrier_id) do nothing returning id`)
  const [row] = await ctx.run<{ id: string }>(
    sql`select id from bill_questions where org_id = ${ctx.org} and bill_id = ${bill} and partner_carrier_id = ${carrier} for update`,
  )
  return { id: row?.id as string, isNew: made.length > 0 }
}

export type NewMessage = { side: 'partner' | 'organization'; author_id: string; author_name: string; text: string }

/** The thread is locked by whoever adds to it, so each message has a place of its own. Answers the place. */
export async function insertMessage(
  ctx: Context,
  question: string,
  { side, author_id, author_name, text }: NewMessage,
): Promise<number> {
  const [row] = await ctx.run<{ place: number }>(sql`
    insert into bill_question_messages as added (org_id, question_id, place, side, author_id, author_name, text)
    select own.org_id, ${question}::uuid, 1 + coalesce((select max(m.place) from bill_question_messages m where m.org_id = ${ctx.org} and m.question_id = ${question}), 0),
      ${side}, ${author_id}, ${author_name}, ${text}
    from organizations own where own.org_id = ${ctx.org}
    returning added.place`)
  return row?.place as number
}

/** `said`: a message was added; `isNew`: the thread was made by it, and has its first revision. */
export async function saveState(
  ctx: Context,
  id: string,
  state: BillQuestion['state'],
  { said, isNew = false }: { said: boolean; isNew?: boolean },
): Promise<void> {
  await ctx.run(sql`
    update bill_questions set state = ${state}, ${when(said, sql`last_message_at = statement_timestamp(),`)} ${when(!isNew, sql`revision = revision + 1,`)}
      updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}

/** What a user of the organization is called. */
export async function findName(ctx: Context, user: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ name: string }>(sql`select name from users where org_id = ${ctx.org} and id = ${user}`)
  return row?.name
}
