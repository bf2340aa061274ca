import { type ErrorCodes, is } from '../core/error-code.ts'

export const webhookCodes: ErrorCodes = {
  bad_span: is(
    400,
    'The span of events to send again has no beginning, two, or an end before it.',
    'Send `after` or `from`, and a later `to`.',
  ),
  bad_webhook_url: is(
    400,
    'The address of the webhook is not an http or https address, or has a password or a fragment.',
    'Send an address such as `https://hooks.example.com/lading`.',
  ),
  private_address: is(
    400,
    'The address of the webhook is one of the server itself or of a private network.',
    'Use a public address, or ask the operator about WEBHOOK_ALLOW_PRIVATE.',
  ),
  unknown_event_type: is(
    400,
    'There is no such type of event, so nothing would be sent.',
    'Use one of `details[].allowed`, or of the section `webhooks` of the OpenAPI document.',
  ),
  webhook_disabled: is(409, 'The webhook is disabled, so nothing is sent to it.', 'Enable it first.'),
}
