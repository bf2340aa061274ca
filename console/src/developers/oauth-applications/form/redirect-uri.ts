/** The same rule as on the server (server/src/identity/applications/model.ts), checked while typing; e2e/agreement.test.ts compares the two. */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > 2000 || !/^[\x21-\x7e]+$/.test(uri) || /[\\#]/.test(uri)) return false
  const url = parse(uri)
  if (!url || url.username || url.password || url.hostname.includes('*')) return false
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname))
  )
}

export const redirectUriRule =
  'Enter an https address, or an http address on 127.0.0.1, [::1] or localhost, without a fragment (#).'

function parse(uri: string): URL | null {
  try {
    return new URL(uri)
  } catch {
    return null
  }
}
