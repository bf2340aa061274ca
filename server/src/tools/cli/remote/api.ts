import { Refusal } from '../../../platform/core/refusal.ts'
import { StartError } from '../../../platform/core/start-error.ts'

/** Gives an access token; with `again`, because the one before is no good any more, a new one. */
export type Tokens = (again?: boolean) => Promise<string>

/** The API of a running Lading, as somebody who has tokens. */
export type Api = {
  origin: string
  /** The answer, whatever its status; a token that has expired is renewed once. */
  send(path: string, request?: RequestInit): Promise<Response>
  /** The answer's JSON; a refusal is thrown. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

export function apiAt(origin: string, tokens: Tokens): Api {
  async function send(path: string, { headers, ...request }: RequestInit = {}): Promise<Response> {
    const attempt = async (token: string) =>
      askAddress(`${origin}${path}`, { ...request, headers: { ...headers, authorization: `Bearer ${token}` } })
    const answer = await attempt(await tokens())
    if (answer.status !== 401) return answer
    await answer.body?.cancel()
    return attempt(await tokens(true))
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await send(path, { method, ...json })
    if (!answer.ok) throw await refusalOf(answer)
    return (answer.status === 204 ? null : await answer.json()) as T
  }

  return { origin, send, call }
}

/** Asks an address; where nobody answers there, says so. */
export async function askAddress(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new StartError(
      `There is no Lading at ${new URL(url).origin} (${reasonOf(error)}). Start it with lading start, or say where it is with --url.`,
    )
  }
}

/** Why a connection failed, in a few words. */
export function reasonOf(error: unknown): string {
  const { cause, message, name } = error as {
    cause?: { code?: string; message?: string }
    message?: string
    name?: string
  }
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code ?? cause?.message ?? message ?? String(error)
}

/** What a server refused, as it said it. */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const said = (await answer.json().catch(() => ({}))) as Record<string, string | undefined>
  const code = said.error_code ?? said.code ?? said.error ?? 'unavailable'
  const message = said.error_message ?? said.message ?? said.error_description ?? `The answer was ${answer.status}.`
  return new Refusal(answer.status >= 500 || answer.status === 429 ? 'unavailable' : 'invalid', code, message)
}
