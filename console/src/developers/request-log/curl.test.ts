import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { curlFor } from './curl.ts'

const plain = { method: 'GET', path: '/api/v1/bills', query: null, prefer: null, body: null, body_type: null }

/** What a shell makes of the command: the arguments of curl, one on each line. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for argument in "$@"; do printf '%s\\n' "$argument"; done; }\n${command}`
  return execFileSync('sh', ['-c', script], { env: { ...process.env, LADING_TOKEN: 'secret' }, encoding: 'utf8' })
    .trimEnd()
    .split('\n')
}

describe('a request as a curl command', () => {
  test('has the whole address, and the token as a variable', () => {
    const command = curlFor('https://tms.example.com', { ...plain, query: 'limit=20&status_ids=sent' })
    assert.ok(command.includes('$LADING_TOKEN'))
    assert.deepEqual(argumentsOf(command), [
      'https://tms.example.com/api/v1/bills?limit=20&status_ids=sent',
      '-H',
      'Authorization: Bearer secret',
    ])
  })

  test('sends the body as it was, whatever characters it has', () => {
    const body = `{"name":"O'Neil $(id) \`id\` \\\\ \\"x\\" !"}`
    const sent = argumentsOf(
      curlFor('https://tms.example.com', { ...plain, method: 'PUT', body, body_type: 'application/json' }),
    )
    assert.deepEqual(sent.slice(0, 3), ['-X', 'PUT', 'https://tms.example.com/api/v1/bills'])
    assert.deepEqual(sent.slice(-3), ['Content-Type: application/json', '--data-raw', body])
  })

  test('prefers what was preferred: a dry run stays one', () => {
    const sent = argumentsOf(
      curlFor('https://tms.example.com', { ...plain, method: 'POST', prefer: "dry-run, handling='strict'" }),
    )
    assert.deepEqual(sent.slice(-2), ['-H', "Prefer: dry-run, handling='strict'"])
  })

  test('an address cannot leave its quotes', () => {
    const [address] = argumentsOf(
      curlFor('https://tms.example.com', { ...plain, path: "/api/v1/bills/';echo injected;'" }),
    )
    assert.equal(address, "https://tms.example.com/api/v1/bills/';echo injected;'")
  })
})
