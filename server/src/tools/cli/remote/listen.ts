import { type Command, InvalidArgumentError } from 'commander'
import { newSecret } from '../../../platform/webhooks/sending/signing.ts'
import { type Json, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { type Api, apiAt } from './api.ts'
import { type FollowedEvent, followEvents } from './follow.ts'
import { type ForwardResult, forward, isSecret } from './forward.ts'
import { originOf, type SignIn, tokensFor, withSignIn } from './sign-in.ts'

type Options = Json & SignIn & { forwardTo?: string; types?: string[]; secret?: string }

export function define(command: Command, terminal: Terminal): void {
  command
    .option(
      '--forward-to <address>',
      'where each event is sent, signed as a webhook; without it events are only shown',
      httpAddress,
    )
    .option('--types <type...>', 'only events of these types: bill.paid, or bill.* for all of bills')
    .option('--secret <secret>', 'what signs them (whsec_…); a new one unless said', signingSecret)
  withExample(
    withJson(withSignIn(command)),
    'lading listen --forward-to http://127.0.0.1:3000/hook --types "bill.*"',
  ).action((options: Options, self: Command) => listen(terminal, options, self))
}

async function listen(terminal: Terminal, options: Options, command: Command): Promise<void> {
  const stop = terminal.stop ?? untilInterrupted()
  const api = apiAt(originOf(terminal, options), tokensFor(terminal, options, command))
  const secret = options.secret ?? newSecret()
  const { organization } = await api.call<{ organization: Organization }>('GET', '/api/v1/me')
  const opened = () => announce(terminal, api, organization, options, secret)
  const types = options.types?.flatMap((text) => text.split(','))
  const lost = (why: string) => terminal.err(`Lost the connection: ${why}. Connecting again.\n`)
  for await (const event of followEvents(api, { types, stop, opened, lost })) {
    const came = options.forwardTo ? await forward(options.forwardTo, secret, event) : null
    if (options.json) terminal.out(`${JSON.stringify({ event, ...(came && { answer: came }) })}\n`)
    else terminal.out(`${lineOf(event, came)}\n`)
  }
}

type Organization = { id: string; name: string }

function announce(
  terminal: Terminal,
  api: Api,
  organization: Organization,
  { forwardTo, types, json }: Options,
  secret: string,
): void {
  const what = types ? types.join(', ') : 'all events'
  const to = forwardTo ? `, sent on to ${forwardTo}` : ''
  const text = `Listening at ${api.origin} to ${what} of ${organization.name}${to}. Stop with Ctrl-C.${forwardTo ? `\nThe secret that signs them: ${secret}` : ''}`
  // One line for programs, before those of the events.
  if (json)
    terminal.out(
      `${JSON.stringify({ listening: { url: api.origin, organization, forward_to: forwardTo ?? null, ...(forwardTo && { secret }) } })}\n`,
    )
  else print(terminal, {}, null, text)
}

function lineOf({ id, type, occurred_at }: FollowedEvent, came: ForwardResult | null): string {
  const what = `${occurred_at}  ${type}  ${id}`
  if (!came) return what
  return came.error === null
    ? `${what}  ${came.status} in ${came.duration_ms} ms`
    : `${what}  failed after ${came.duration_ms} ms: ${came.error}`
}

function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

function httpAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:3000/hook.')
  return text
}

function signingSecret(text: string): string {
  if (!isSecret(text)) throw new InvalidArgumentError('It must be whsec_ and a key of at least 16 bytes in base64.')
  return text
}
