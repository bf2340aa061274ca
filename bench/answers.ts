/** An answer as it went over the wire; header fields as node:http takes them, name and value in turn. */
export type Answer = { path: string; headers: string[]; body: string }

/** Left to node:http, which adds them by itself to the product's answers and to the bare ones alike. */
const automatic = ['date', 'connection', 'keep-alive']

export async function answerOf(origin: string, path: string, token: string): Promise<Answer> {
  // As the load asks for it: without compression.
  const response = await fetch(origin + path, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${body}`)
  return { path, body, headers: [...response.headers].filter(([name]) => !automatic.includes(name)).flat() }
}

export function requireEqual(ours: Answer, bare: Answer): void {
  if (JSON.stringify(ours) !== JSON.stringify(bare))
    throw new Error(`The bare server does not answer ${ours.path} as the product does.`)
}
