import type { LightMyRequestResponse } from 'fastify'
import type { Service } from '../service.ts'
import { askToken, callback, type Fields, newAddress, type Party, password, pkce, type Tokens } from './house.ts'

export type Page = {
  status: number
  headers: LightMyRequestResponse['headers']
  text: string
  location: string | undefined
}

/** As much of a browser as the pages need: it keeps cookies and sends forms, and follows redirects only where told to. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly address = newAddress()
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  get(url: string, headers: Fields = {}): Promise<Page> {
    return this.#send('GET', url, undefined, headers)
  }

  post(url: string, form: Fields | string, headers: Fields = {}): Promise<Page> {
    return this.#send('POST', url, typeof form === 'string' ? form : new URLSearchParams(form).toString(), headers)
  }

  /** Follows redirects inside the service; an address elsewhere is not visited but answered. */
  async follow(page: Page): Promise<Page> {
    const { authUrl } = this.#service.settings
    let at = page
    while (at.location !== undefined && new URL(at.location, authUrl).origin === authUrl) {
      const { pathname, search } = new URL(at.location, authUrl)
      at = await this.get(`${pathname}${search}`)
    }
    return at
  }

  async #send(method: 'GET' | 'POST', url: string, payload: string | undefined, headers: Fields): Promise<Page> {
    const answer = await this.#service.app.inject({
      method,
      url,
      headers: {
        accept: 'text/html',
        'x-forwarded-for': this.address,
        ...(this.cookies.size > 0 && {
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    })
    for (const { name, value, expires } of answer.cookies) {
      if (value === '' || (expires && expires.getTime() < Date.now())) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      location: answer.headers.location as string | undefined,
    }
  }
}

export function authorizeUrl({ application }: Party, fields: Fields = {}): string {
  return `/oauth2/authorize?${new URLSearchParams({ response_type: 'code', client_id: application.client_id, redirect_uri: callback, ...fields })}`
}

export function actionIn(page: Page): string {
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1]
  if (!action) throw new Error(`There is no form on this page (${page.status}):\n${page.text}`)
  return action
}

/** From the authorization request to the page that asks for consent, or to the callback where nothing needs to be asked. */
export async function reachConsent(browser: Browser, party: Party, url: string): Promise<Page> {
  const first = await browser.follow(await browser.get(url))
  if (!/action="[^"]+\/login"/.test(first.text)) return first
  return browser.follow(await browser.post(actionIn(first), { email: party.email, password }))
}

export async function allow(browser: Browser, party: Party, page: Page, organization = party.org): Promise<URL> {
  const done = await browser.follow(await browser.post(actionIn(page), { decision: 'allow', organization }))
  if (!done.location) throw new Error(`${done.status}: ${done.text}`)
  return new URL(done.location)
}

/** Signs in, and says no. */
export async function deny(service: Service, party: Party, fields: Fields): Promise<URL> {
  const browser = new Browser(service)
  const page = await reachConsent(browser, party, authorizeUrl(party, fields))
  const done = await browser.follow(await browser.post(actionIn(page), { decision: 'deny' }))
  return new URL(done.location ?? '')
}

/** The whole way of a person: sign in, allow, and the address they come back to. */
export async function authorize(
  service: Service,
  party: Party,
  fields: Fields = {},
  browser = new Browser(service),
): Promise<URL> {
  const page = await reachConsent(browser, party, authorizeUrl(party, fields))
  return page.location ? new URL(page.location) : allow(browser, party, page)
}

export async function tokensByCode(
  service: Service,
  party: Party,
  fields: Fields = {},
  browser = new Browser(service),
): Promise<Tokens> {
  const { verifier, challenge } = pkce()
  const back = await authorize(service, party, { ...challenge, ...fields }, browser)
  const code = back.searchParams.get('code')
  if (!code) throw new Error(back.href)
  const answer = await askToken(service, party, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: verifier,
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}
