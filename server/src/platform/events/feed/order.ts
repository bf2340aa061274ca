/** An event that has no place in the feed yet. */
export type UnpublishedEvent = {
  id: string
  type: string
  subject_type: string
  subject_id: string
  revision: number | null
}

/**
 * The order in which events enter the feed: as their ids rise, so about as they happened; but of one record always as its revisions rise, because the
 * clocks of two processes differ, and so do the ids that they make.
 */
export function inOrder(events: readonly UnpublishedEvent[]): string[] {
  const records = Map.groupBy(events, ({ subject_type, subject_id }) => `${subject_type} ${subject_id}`)
  const turns = [...records.values()].flatMap((ofOne) => {
    let turn = ''
    return ofOne.toSorted(byRevision).map(({ id }, place) => {
      if (id > turn) turn = id
      return { id, turn, place }
    })
  })
  turns.sort((one, other) => (one.turn === other.turn ? one.place - other.place : one.turn < other.turn ? -1 : 1))
  return turns.map(({ id }) => id)
}

/** A deletion makes no revision: it is the last thing that happens to one. */
function byRevision(one: UnpublishedEvent, other: UnpublishedEvent): number {
  const apart = (one.revision ?? 0) - (other.revision ?? 0) || Number(isDeletion(one)) - Number(isDeletion(other))
  return apart || (one.id < other.id ? -1 : 1)
}

function isDeletion({ type }: UnpublishedEvent): boolean {
  return type.endsWith('.deleted')
}
