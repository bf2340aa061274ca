import { isIP } from 'node:net'
import { invalid, quote } from '../../core/refusal.ts'
import { isPublic } from './addresses.ts'

/**
 * Refuses what can be no address of an endpoint. A name is not resolved here: what it means is looked at with each connection. The parser of URLs writes
 * every spelling of an IPv4 address (decimal, octal, hexadecimal, short) in the usual one.
 */
export function requireTarget(text: string, allowPrivate: boolean): void {
  // The parser forgives spaces and line breaks; who reads the address later may not.
  const url = /^[\x21-\x7e]+$/.test(text) && !text.includes('\\') ? URL.parse(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash || text.includes('#')) {
    throw invalid(
      'url',
      'bad_webhook_url',
      `${quote(text)} is not an http or https address without a user name, a password and a fragment.`,
    )
  }
  if (!allowPrivate && isInner(hostOf(url))) {
    throw invalid(
      'url',
      'private_address',
      `${quote(url.hostname)} is an address of this machine or of a private network. Webhooks go to public addresses only.`,
    )
  }
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Where a webhook sends to, without the path and the query: receivers put secrets there. */
export function hostIn(url: string): string {
  return new URL(url).host
}

/** Whether it can be said without asking for the addresses of a name. */
function isInner(host: string): boolean {
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : !isPublic(host)
}
