import { type Client, RemoteFault } from './adapter.ts'

export type Json = Record<string, unknown>

export const pageSize = 100

/** `/Date(1455667200000+0000)/`, or a date as others write it. */
export function timeIn(value: unknown): number {
  const [, ms] = /^\/Date\((-?\d+)/.exec(String(value ?? '')) ?? []
  return ms === undefined ? Date.parse(String(value ?? 0)) || 0 : Number(ms)
}

type Options = { method?: string; headers?: Record<string, string>; body?: unknown }

export function call<T>(client: Client, path: string, { headers, ...options }: Options = {}): Promise<T> {
  return client.ask(`${client.addresses.api}/api.xro/2.0/${path}`, {
    ...options,
    headers: { 'xero-tenant-id': client.remoteId, ...headers },
  }) as Promise<T>
}

/** The fault in an answer that is no success. */
export function xeroFault(status: number, body: unknown): RemoteFault {
  const {
    Message,
    Elements = [],
    Detail,
    Title,
  } = (body ?? {}) as { Message?: string; Elements?: Json[]; Detail?: string; Title?: string }
  const message = Elements.flatMap(messagesIn).join(' ') || Detail || Message || Title || `Xero answered ${status}.`
  if (status === 404) return new RemoteFault('gone', message)
  return new RemoteFault(status === 403 ? 'sign_in' : 'refused', message)
}

export function messagesIn(element: Json | undefined): string[] {
  return ((element?.ValidationErrors ?? []) as { Message?: string }[]).flatMap(({ Message }) => Message ?? [])
}
