import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const periodCodes: ErrorCodes = {
  ends_before_it_starts: is(400, 'The last day is before the first one.', 'Correct `starts_on` or `ends_on`.'),
  period_closed: is(
    409,
    'The record is dated in an accounting period that is closed.',
    'Use a date in an open period, or have the period reopened.',
  ),
  period_is_closed: is(409, 'A closed period cannot be deleted.', 'Reopen it first, with a reason.'),
  periods_overlap: is(409, 'Another accounting period has some of the same days.', 'Choose other days.'),
}
