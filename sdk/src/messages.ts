/** A message of the stream: an event and its position, or a position alone; `retry` is how long to wait before the stream is opened again, in milliseconds. */
export type Message = { id?: string; data?: string; retry?: number }

/**
 * The messages in a stream of Server-Sent Events. Read by hand, because the browser's EventSource cannot send an access token.
 * Other fields and comments are left out.
 */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      // A line break may come in two parts, so the last carriage return waits for what follows.
      const blocks = `${rest}${value}`.replaceAll(/\r\n|\r(?!$)/g, '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = messageOf(block)
        if (Object.keys(message).length > 0) yield message
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function messageOf(block: string): Message {
  const message: Message = {}
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(id|data|retry): ?(.*)$/s.exec(line) ?? []
    if (field === 'id') message.id = value
    if (field === 'retry' && /^\d+$/.test(value)) message.retry = Number(value)
    if (field === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
  }
  return message
}
