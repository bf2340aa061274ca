/** What the local servers of the accounting systems have in common: OAuth tokens that rotate, faults on demand, a list of what was asked. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: never
  company: string
}
export type Given = { status: number; body: unknown; headers?: Record<string, string> }

/**
 * `drop`: does what is asked, and breaks the connection off before the answer. `fail`: a 500, nothing is done. `busy`: a 429. `expired`: a 401. `hold`: does
 * nothing until `release` is called. `forbidden`: a 403.
 */
export type Fault = 'drop' | 'fail' | 'busy' | 'expired' | 'hold' | 'forbidden'

export type Accounting = {
  origin: string
  asked: Asked[]
  /** Has the next request of a company that matches `METHOD path` go wrong so, or so many of them. */
  fail(company: string, pattern: RegExp, fault: Fault, times?: number): void
  /** Lets go what is held. */
  release(company: string): void
  /** How often a refresh token of a company was exchanged. */
  renewals(company: string): number
  /** Ends all access tokens of a company; with `refresh`, its refresh tokens too. */
  expire(company: string, what?: { refresh: boolean }): void
  close(): Promise<void>
}

type Service = {
  tokenPath: string
  /** How a code names its company. */
  answer(asked: Asked): Given
  expired: Given
  forbidden: Given
  busy: Given
  companyIn(request: IncomingMessage, url: URL, ofToken: string | undefined): string
  lifetime: number
}

type Tokens = { access: Set<string>; refresh: string[]; renewals: number; counter: number }

export async function startAccounting(service: Service): Promise<Accounting> {
  const tokens = new Map<string, Tokens>()
  const owners = new Map<string, string>()
  const faults: { company: string; pattern: RegExp; fault: Fault; left: number }[] = []
  const held: { company: string; go(): void }[] = []
  const asked: Asked[] = []

  const tokensOf = (company: string) => {
    const found = tokens.get(company) ?? { access: new Set<string>(), refresh: [], renewals: 0, counter: 0 }
    tokens.set(company, found)
    return found
  }
  const take = (company: string, what: string): Fault | undefined => {
    const at = faults.findIndex((one) => one.company === company && one.left > 0 && one.pattern.test(what))
    if (at < 0) return undefined
    const found = faults[at] as (typeof faults)[number]
    found.left -= 1
    return found.fault
  }
  const issue = (company: string): Given => {
    const own = tokensOf(company)
    own.counter += 1
    const access_token = `access-${company}-${own.counter}`
    const refresh_token = `refresh-${company}-${own.counter}`
    own.access.add(access_token)
    owners.set(access_token, company)
    // The one before stays good for some time, as with both services: its answer may have been lost.
    own.refresh = [refresh_token, ...own.refresh].slice(0, 2)
    return { status: 200, body: { access_token, refresh_token, token_type: 'bearer', expires_in: service.lifetime } }
  }

  function grant(text: string, authorization: string | undefined): { company: string; answer: () => Given } {
    const form = new URLSearchParams(text)
    const refused = (error: string) => ({ company: '', answer: () => ({ status: 400, body: { error } }) })
    if (authorization !== `Basic ${Buffer.from('client:secret').toString('base64')}`)
      return { company: '', answer: () => ({ status: 401, body: { error: 'invalid_client' } }) }
    if (form.get('grant_type') === 'authorization_code') {
      const [, company] = /^code-(.+)$/.exec(form.get('code') ?? '') ?? []
      return company && form.get('redirect_uri') ? { company, answer: () => issue(company) } : refused('invalid_grant')
    }
    const refresh = form.get('refresh_token') ?? ''
    const [company] = [...tokens].find(([, own]) => own.refresh.includes(refresh)) ?? []
    if (company === undefined) return refused('invalid_grant')
    return {
      company,
      answer: () => {
        tokensOf(company).renewals += 1
        return issue(company)
      },
    }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://here')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    if (url.pathname === service.tokenPath) {
      const { company, answer } = grant(text, request.headers.authorization)
      return respond(response, company, `POST ${url.pathname}`, answer)
    }
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    const company = service.companyIn(request, url, owners.get(token ?? ''))
    const isGood = token !== undefined && tokensOf(owners.get(token) ?? '').access.has(token)
    const what = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      company,
    }
    const one = { ...what, body: (text === '' ? undefined : JSON.parse(text)) as never }
    asked.push(one)
    return respond(response, company, `${one.method} ${url.pathname}${url.search}`, () =>
      isGood ? service.answer(one) : service.expired,
    )
  })

  async function respond(response: ServerResponse, company: string, what: string, answer: () => Given): Promise<void> {
    const fault = take(company, what)
    if (fault === 'hold') await new Promise<void>((go) => held.push({ company, go }))
    if (fault === 'drop') {
      answer()
      response.socket?.destroy()
      return
    }
    const given =
      fault === 'fail'
        ? { status: 500, body: { message: 'not now' } }
        : fault === 'busy'
          ? service.busy
          : fault === 'expired'
            ? service.expired
            : fault === 'forbidden'
              ? service.forbidden
              : answer()
    response
      .writeHead(given.status, { 'content-type': 'application/json', ...given.headers })
      .end(JSON.stringify(given.body))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    fail: (company, pattern, fault, times = 1) => void faults.push({ company, pattern, fault, left: times }),
    release(company) {
      for (const { go } of held.filter((one) => one.company === company)) go()
    },
    renewals: (company) => tokensOf(company).renewals,
    expire(company, { refresh } = { refresh: false }) {
      const own = tokensOf(company)
      own.access.clear()
      if (refresh) own.refresh = []
    },
    async close() {
      for (const { go } of held) go()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
