import { type ErrorCodes, is } from '../core/error-code.ts'

export const eventCodes: ErrorCodes = {
  bad_event_type: is(
    400,
    'The value is no type of event.',
    'Write `bill.paid`, `bill.*` for all of bills, or `*` for all.',
  ),
  invalid_position: is(
    400,
    'The value is not a position of the change feed.',
    'Send `next_after` as it was answered, or leave it out to begin with the oldest.',
  ),
  position_expired: is(
    410,
    'The position is from before the time for which events are kept.',
    'Read the records anew, and begin the feed again without a position.',
  ),
  too_many_event_streams: is(
    429,
    'As many streams of events are open as there can be.',
    'Close some, or read them with one stream and hand on what comes.',
  ),
}
