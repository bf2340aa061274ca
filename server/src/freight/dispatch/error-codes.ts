import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const dispatchCodes: ErrorCodes = {
  move_not_allowed: is(
    409,
    'The manifest cannot be moved to this state now.',
    'Move it to one of the states in `details[].allowed`, or report its stops.',
  ),
  not_the_stops: is(
    400,
    'The list does not name every stop of the manifest exactly once.',
    'Read the manifest again, and send the ids of all stops, each once.',
  ),
  order_closed: is(
    409,
    'The order is delivered, invoiced, cancelled or inactive, so it cannot be planned.',
    'Change its status first.',
  ),
  order_planned: is(
    409,
    'Another manifest carries the order already.',
    'Take it off there first; the message names the manifest.',
  ),
}
