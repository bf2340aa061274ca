import { type ErrorCodes, is } from '../core/error-code.ts'

export const mailCodes: ErrorCodes = {
  already_queued: is(409, 'The mail is waiting to be sent already.', 'Wait for it: `status` says what became of it.'),
  content_deleted: is(
    409,
    'The mail held a secret, which was deleted once it was sent.',
    'Invite the user again, or ask for a new link.',
  ),
  content_is_secret: is(
    409,
    'The mail holds a secret, such as a link that lets somebody in.',
    'Nobody but its recipient sees it: send a new one where it was lost.',
  ),
  not_sent: is(
    409,
    'The mail was not handed to a mail server, so it cannot have come back.',
    'Report mails that are `sent`.',
  ),
  still_queued: is(
    [],
    'A mail that came back from one address is still being sent to others.',
    'Nothing is to be done: the report is taken later.',
  ),
  too_many_addresses: is(
    400,
    'A mail would go to more addresses than one may.',
    'Send fewer addresses, or several mails.',
  ),
  unknown_mail: is(
    [],
    'The report is about a mail that this server has not sent.',
    'Look whether it belongs to another installation.',
  ),
  unreadable_report: is(
    [],
    'The message is no report of a mail that came back.',
    'Nothing is to be done: somebody may have answered by hand.',
  ),
}
