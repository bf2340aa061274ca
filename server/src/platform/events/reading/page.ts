import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { Refusal } from '../../core/refusal.ts'
import { type FoundPage, findPage, findPageBefore, type Head, type PageSize } from '../feed/feed-store.ts'
import type { EventSearch } from '../feed/model.ts'
import { readPosition, writePosition } from '../feed/position.ts'
import { publish } from '../feed/publishing.ts'
import type { ReadableEvents } from '../feed/readable.ts'
import { chosenTypes } from '../types.ts'

const defaultLimit = 50
const mostLimit = 200
/** Of events that few of a filter meet, a page looks at so many positions, and says where to go on. */
const mostPositions = 10_000

/** A page of the feed, as JSON text. */
export async function pageOf(
  ctx: Context,
  search: Static<typeof EventSearch>,
  readable: ReadableEvents | undefined,
): Promise<string> {
  const { limit = defaultLimit, types, subject_type, subject_id, request_id } = search
  const after = search.after ? readPosition(search.after) : null
  const before = search.before ? readPosition(search.before, 'before') : null
  const newestFirst = search.newest_first === true || before !== null
  const filter = { types: chosenTypes(types), subject_type, subject_id, request_id, readable }
  // The events of one record and of one request are found by indexes of their own, however far apart they are.
  const page = {
    limit: Math.min(limit, mostLimit),
    most: (subject_type && subject_id) || request_id ? 2 ** 52 : mostPositions,
  }
  const read = () =>
    newestFirst ? findPageBefore(ctx, { after, before }, page, filter) : findPage(ctx, after, page, filter)
  let found = await read()
  // Whoever wrote something and reads the feed then finds it there, without waiting for the background.
  if (found.behind && (newestFirst ? before === null : found.count < page.limit)) {
    await publish(ctx.org, (work) => ctx.transaction(({ run }) => work(run)))
    found = await read()
  }
  const head = { last: found.last ?? 0, keptFrom: found.keptFrom }
  for (const asked of [after, before]) if (asked !== null) requireKept(asked, head)
  return newestFirst
    ? textBefore(found, head, { after: after ?? head.keptFrom, before: before ?? head.last + 1, ...page })
    : textAfter(found, head, after, page)
}

function textAfter(found: FoundPage, head: Head, after: number | null, page: PageSize): string {
  const next = nextAfter(found, head, after ?? head.keptFrom, page)
  return `{"events":[${found.list}],"next_after":"${writePosition(next)}","has_more":${next < head.last}}`
}

function textBefore(
  { list, count, end }: FoundPage,
  { last }: Head,
  { after, before, limit, most }: { after: number; before: number } & PageSize,
): string {
  const next = count === limit && end !== null ? end : Math.max(before - most, after + 1)
  const hasMore = next > after + 1
  const nextBefore = hasMore ? `"${writePosition(next)}"` : 'null'
  return `{"events":[${list}],"next_after":"${writePosition(last)}","next_before":${nextBefore},"has_more":${hasMore}}`
}

/** A full page ends with its last event, another with the last position that was looked at. */
function nextAfter({ count, end }: FoundPage, { last }: Head, after: number, { limit, most }: PageSize): number {
  return count === limit && end !== null ? end : Math.min(after + most, last)
}

/** Refuses a position that the feed does not have, or not any more. */
export function requireKept(after: number, { last, keptFrom }: Head): void {
  const because =
    after < keptFrom
      ? 'is from before the time for which events are kept'
      : after > last
        ? 'is not in this feed, as after the restore of a backup'
        : undefined
  if (!because) return
  throw new Refusal(
    'gone',
    'position_expired',
    `The position ${because}. Read the records that you need anew, and begin again with a request without a position.`,
  )
}
