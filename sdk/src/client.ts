import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

export type Lading = Client<paths>
export type Schemas = components['schemas']
/** What every operation takes and answers, by its path. */
export type Paths = paths

export type Options = {
  /** Where the service is, such as `https://tms.example.com`. */
  baseUrl: string
  /** An access token, or a function that gets one; it is asked before every request, so it may refresh. */
  token: string | (() => string | Promise<string>)
  fetch?: typeof globalThis.fetch
}

/** A client typed by the API's own description: `const { data, error } = await lading.GET('/api/v1/bill_item_types')`. */
export function createLading({ baseUrl, token, fetch }: Options): Lading {
  const client = createClient<paths>({ baseUrl, ...(fetch && { fetch }) })
  client.use(authorized(token))
  return client
}

function authorized(token: Options['token']): Middleware {
  return {
    async onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`)
      return request
    },
  }
}
