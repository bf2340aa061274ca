/** What users of the package import; inside of it each file is imported by its own name. */
export {
  createPlainLading,
  type Options,
  type Paths,
  type PlainLading,
  type Schemas,
  type TokenSource,
} from './client.ts'
export { answerOf, type Detail, isRefusal, LadingConnectionError, LadingError, type Sent } from './errors.ts'
export { type FollowedEvent, type FollowOptions, follow } from './follow.ts'
export { type Message, messagesIn } from './messages.ts'
export { createLading, type Lading } from './methods/lading.ts'
export type { List } from './methods/list.ts'
export type { CallOptions, ChangeOptions, Content, Form, WriteOptions } from './methods/options.ts'
export type * from './names.ts'
export { each, pages } from './paging.ts'
export type { RetryOptions } from './retries.ts'
export { clientCredentials, passwordGrant, refreshTokenGrant, type TokenAnswer, type TokenOptions } from './tokens.ts'
export type * from './types.ts'
export {
  type EventOf,
  type EventType,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookMessageOf,
  WebhookVerificationError,
} from './webhooks.ts'
