import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Refusal } from '../../../platform/core/refusal.ts'
import { StartError } from '../../../platform/core/start-error.ts'
import { withoutEnd } from '../../../platform/core/values/text.ts'
import type { Demo } from '../../demo/demo.ts'
import type { Terminal } from '../terminal.ts'
import { helpOf, UsageError } from '../usage.ts'
import { askAddress, refusalOf, type Tokens } from './api.ts'

export type SignIn = { url?: string; signIn?: boolean; clientId?: string; callback: string }

/** The options of every command that asks a running server something. */
export function withSignIn(command: Command): Command {
  return command
    .option(
      '--url <address>',
      'where Lading is; with the demo where demo.json says, else PUBLIC_URL, or http://HOST:PORT',
    )
    .option('--sign-in', 'sign in as a person, in the browser, through the application of --client-id')
    .option('--client-id <id>', 'an OAuth application; its secret is read from LADING_CLIENT_SECRET')
    .option(
      '--callback <address>',
      'with --sign-in: the redirect URI on this machine that the application has',
      'http://127.0.0.1:8976/callback',
    )
    .addHelpText(
      'after',
      '\nWho asks: the access token in LADING_TOKEN; or an application by --client-id and LADING_CLIENT_SECRET; or a person, with --sign-in; else the admin of the demo organization, by DATA_DIR/demo.json.',
    )
}

/** Where the demo's keys are good, where they are used: its server may have another address than the settings of this shell say. */
export function originOf(terminal: Terminal, options: SignIn): string {
  const demo = isByDemo(terminal, options) ? readDemo(terminal) : null
  return withoutEnd(options.url ?? demo?.base_url ?? terminal.settings().publicUrl, '/')
}

function isByDemo({ env = {} }: Terminal, { clientId }: SignIn): boolean {
  return !clientId && !env.LADING_TOKEN
}

type Fields = Record<string, string>
type Granted = { access_token: string; refresh_token?: string }

export function tokensFor(terminal: Terminal, options: SignIn, command: Command): Tokens {
  const { env = {} } = terminal
  const origin = originOf(terminal, options)
  if (options.signIn && !options.clientId)
    throw new UsageError('--sign-in needs the application to sign in through: say --client-id.', helpOf(command))
  if (env.LADING_TOKEN && !options.clientId) return given(env.LADING_TOKEN)
  const ask = (fields: Fields, { audience }: { audience: string } = terminal.settings()) =>
    tokenOf(origin, { audience, ...fields })
  if (options.clientId) {
    const client = {
      client_id: options.clientId,
      ...(env.LADING_CLIENT_SECRET && { client_secret: env.LADING_CLIENT_SECRET }),
    }
    if (options.signIn)
      return renewing(() => signInByBrowser(terminal, origin, options.callback, client, ask), client, ask)
    if (!env.LADING_CLIENT_SECRET)
      throw new StartError(
        'LADING_CLIENT_SECRET is not set: the application of --client-id needs its secret, or a person --sign-in.',
      )
    return renewing(() => ask({ grant_type: 'client_credentials', ...client }), client, ask)
  }
  const demo = requireDemo(terminal)
  const { client_id, client_secret, username, password } = demo
  const client = { client_id, client_secret }
  return renewing(
    () => ask({ grant_type: 'password', username, password, ...client }, demo),
    client,
    (fields) => ask(fields, demo),
  )
}

function given(token: string): Tokens {
  return async (again) => {
    if (again)
      throw new Refusal(
        'unauthenticated',
        'invalid_token',
        'The access token in LADING_TOKEN is not good: it has expired, or was revoked. Set a new one.',
      )
    return token
  }
}

/** Keeps a token until it is said to be no good; then by the refresh token, or from the beginning. */
function renewing(begin: () => Promise<Granted>, client: Fields, ask: (fields: Fields) => Promise<Granted>): Tokens {
  let kept: Granted | undefined
  return async (again) => {
    const { refresh_token } = kept ?? {}
    if (again && refresh_token) kept = await ask({ grant_type: 'refresh_token', refresh_token, ...client }).catch(begin)
    else if (again || !kept) kept = await begin()
    return (kept as Granted).access_token
  }
}

async function tokenOf(origin: string, fields: Fields): Promise<Granted> {
  const answer = await askAddress(`${origin}/oauth2/token`, { method: 'POST', body: new URLSearchParams(fields) })
  if (!answer.ok) throw await refusalOf(answer)
  return (await answer.json()) as Granted
}

type DemoKeys = Pick<Demo, 'base_url' | 'audience' | 'client_id' | 'client_secret' | 'username' | 'password'>

function demoPath(terminal: Terminal): string {
  return join(terminal.settings().dataDir, 'demo.json')
}

function readDemo(terminal: Terminal): DemoKeys | null {
  const path = demoPath(terminal)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

function requireDemo(terminal: Terminal): DemoKeys {
  const demo = readDemo(terminal)
  if (demo) return demo
  throw new StartError(
    `There is no demo organization here (${demoPath(terminal)}). Set LADING_TOKEN to an access token, or sign in with --sign-in and --client-id.`,
  )
}

/** The authorization code flow with PKCE: the browser comes back to a port of this machine. */
async function signInByBrowser(
  terminal: Terminal,
  origin: string,
  callback: string,
  client: Fields,
  ask: (fields: Fields) => Promise<Granted>,
): Promise<Granted> {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const asked = {
    response_type: 'code',
    client_id: client.client_id as string,
    redirect_uri: callback,
    state,
    ...challenge,
  }
  const waiting = codeAt(callback, state)
  terminal.err(
    `Open this address in your browser to sign in:\n\n  ${origin}/oauth2/authorize?${new URLSearchParams(asked)}\n\n`,
  )
  return ask({
    grant_type: 'authorization_code',
    code: await waiting,
    redirect_uri: callback,
    code_verifier: verifier,
    ...client,
  })
}

function codeAt(callback: string, state: string): Promise<string> {
  const { hostname, port, pathname } = new URL(callback)
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const { pathname: path, searchParams: said } = new URL(request.url ?? '/', callback)
      if (path !== pathname || said.get('state') !== state) return void response.writeHead(404).end()
      const code = said.get('code')
      response
        .setHeader('content-type', 'text/plain; charset=utf-8')
        .end(code ? 'You are signed in. You can close this page.' : 'You are not signed in.')
      server.close()
      if (code) resolve(code)
      else reject(new StartError(`The sign-in was refused: ${said.get('error_description') ?? said.get('error')}.`))
    })
    server.once('error', (error) =>
      reject(
        new StartError(
          `Nobody can come back to ${callback}: ${error.message}. Name another redirect URI with --callback.`,
        ),
      ),
    )
    server.listen(Number(port), hostname)
  })
}
