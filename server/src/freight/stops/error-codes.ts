import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const stopCodes: ErrorCodes = {
  duplicate_sequence: is(
    400,
    'Two stops have the same place on the way.',
    'Give each stop its own `sequence`, or leave it out.',
  ),
  in_the_future: is(
    400,
    'The time of something that is said to have happened is still to come.',
    'Correct the time, or the clock of the device.',
  ),
  later_stop_reported: is(
    409,
    'A stop behind the one whose report is taken back was departed from.',
    'Undo the reports that `details` names first, in that order.',
  ),
  manifest_closed: is(
    409,
    'The manifest is cancelled or inactive, so nothing is reported of it.',
    'Change its status first.',
  ),
  not_reported: is(
    409,
    'Nothing was reported of the stop, so there is nothing to undo.',
    'Read the manifest: its stops have the times that were reported.',
  ),
  outdated: is(409, 'The orders on the manifest have changed at the same moment.', 'Read it again.'),
  own_stops: is(
    409,
    'The organization has a field of its own called `stops`, which counts instead of the built-in one.',
    'Remove that field from the definition first.',
  ),
  stop_departed: is(409, 'The stop was departed from.', 'Undo its report first.'),
  stop_open: is(
    409,
    'The stop was not departed from.',
    'Report its departure, or undo the report of the stop after it.',
  ),
  stop_reported: is(
    409,
    'A stop was reported already, so it stays where it is, and its order on the manifest.',
    'Undo the report first.',
  ),
  stops_open: is(
    409,
    'Stops before the one that is reported were not departed from.',
    'Report those that `details` names first, or send `skip_stops: true` where they are really passed over.',
  ),
  wrong_order: is(
    400,
    'A time is before one that comes first: a window ends before it begins, or a departure is before the arrival.',
    'Correct the times.',
  ),
}
