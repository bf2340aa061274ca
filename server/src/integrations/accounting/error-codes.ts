import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const accountingCodes: ErrorCodes = {
  already_connected: is(409, 'There is a connection with this accounting system already.', 'Change that one.'),
  application_missing: is(
    409,
    'Neither the connection nor the server has an application with the accounting system.',
    'Set `settings.client_id` and `secrets.client_secret`.',
  ),
  bad_state: is(
    400,
    'The sign-in was begun by another user, for another connection, or too long ago.',
    'Begin it again with `POST …/authorize`.',
  ),
  connection_in_use: is(409, 'Records were synced through the connection.', 'Disconnect it instead.'),
  needs_sign_in: is(409, 'Nobody is signed in to the accounting system.', 'Have an admin connect it again.'),
  not_mappable: is(
    400,
    'The accounting system has no mappings of this kind.',
    'Send one of the kinds in `details[].allowed`.',
  ),
  not_online: is(
    409,
    'The connection makes files: there is nothing to sign in to or to ask.',
    'Start a sync, and download its file.',
  ),
  nothing_failed: is(409, 'Nothing of the sync failed.', 'Start another sync.'),
  nothing_to_sync: is(
    400,
    'The accounting system does not take this across.',
    'Send one of the values in `details[].allowed`.',
  ),
  other_company: is(
    409,
    'The sign-in was to another company than the one that the connection belongs to.',
    'Sign in to that company.',
  ),
  outbound_off: is(
    409,
    'The server is a copy that sends nothing to anybody.',
    'Do it on the server that it is a copy of.',
  ),
  refused_there: is(
    409,
    'The accounting system refused the request; the message is its own.',
    'Do what the message says, there or here.',
  ),
  sign_in_failed: is(
    409,
    'The accounting system did not accept the sign-in.',
    'Begin it again; check the application and its redirect URI.',
  ),
  sync_is_over: is(409, 'The sync has ended already.', 'Nothing is to be done.'),
  sync_is_running: is(409, 'The sync is still running.', 'Wait until it has ended.'),
  unknown_connector: is(400, 'There is no such connector.', 'Send one of `GET /connectors`.'),
  unknown_setting: is(400, 'The connector has no such setting or secret.', 'Send those that `GET /connectors` names.'),
}
