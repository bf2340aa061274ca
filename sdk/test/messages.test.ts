import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Message, messagesIn } from '../src/messages.ts'

async function read(...parts: string[]): Promise<Message[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part))
      controller.close()
    },
  })
  const messages: Message[] = []
  for await (const message of messagesIn(body)) messages.push(message)
  return messages
}

describe('messages of a stream', () => {
  test('are events with their positions and positions alone; comments and other fields are left out', async () => {
    assert.deepEqual(
      await read('retry: 2000\nid: a\n\n', ': nothing new\n\n', 'id: b\ndata: {"type":"bill.paid"}\n\n'),
      [
        { retry: 2000, id: 'a' },
        { id: 'b', data: '{"type":"bill.paid"}' },
      ],
    )
  })

  test('are the same wherever the stream is cut into parts, and whichever line breaks it has', async () => {
    const whole = 'id: a\ndata: {"name":"Zoë"}\n\nid: b\ndata: 2\ndata: 3\n\n'
    const expected = [
      { id: 'a', data: '{"name":"Zoë"}' },
      { id: 'b', data: '2\n3' },
    ]
    for (const text of [whole, whole.replaceAll('\n', '\r\n')]) {
      assert.deepEqual(await read(...text), expected)
      for (let at = 1; at < text.length; at++) assert.deepEqual(await read(text.slice(0, at), text.slice(at)), expected)
    }
  })

  test('are not made of what breaks off', async () => {
    assert.deepEqual(await read('id: a\n\n', 'id: b\ndata: {"ty'), [{ id: 'a' }])
  })
})
