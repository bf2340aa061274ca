import { dayOf, timeOf } from './dates.ts'

/** A moment as a day, with its time for whoever points at it. */
export function When({ at, never = '–' }: { at: string | null | undefined; never?: string }) {
  return at ? (
    <time dateTime={at} title={timeOf(at)}>
      {dayOf(at)}
    </time>
  ) : (
    never
  )
}
