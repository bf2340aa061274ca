type Request = {
  method: string
  path: string
  query: string | null
  prefer: string | null
  body: string | null
  body_type: string | null
}

/** The request as a command. The token is left as a variable, and the idempotency key is left out: with it the server would repeat its old answer. */
export function curlFor(publicUrl: string, { method, path, query, prefer, body, body_type }: Request): string {
  const address = `${publicUrl}${path}${query ? `?${query}` : ''}`
  return [
    `curl${method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${method}`} ${quoted(address)}`,
    '-H "Authorization: Bearer $LADING_TOKEN"',
    ...(prefer !== null ? [`-H ${quoted(`Prefer: ${prefer}`)}`] : []),
    ...(body !== null
      ? [`-H ${quoted(`Content-Type: ${body_type ?? 'application/json'}`)}`, `--data-raw ${quoted(body)}`]
      : []),
  ].join(' \\\n  ')
}

/** For a shell: nothing between apostrophes has a meaning, so only they must be written otherwise. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
