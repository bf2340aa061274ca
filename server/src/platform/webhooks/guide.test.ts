import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newSecret, signedHeaders } from './sending/signing.ts'

const guide = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined

/** The code in a language behind these words. */
function codeBehind(words: string, language: string): string {
  const at = guide.indexOf(words)
  return (
    new RegExp(`\\n\\\`\\\`\\\`${language}\\n([\\s\\S]*?)\\n\\\`\\\`\\\``).exec(guide.slice(at))?.[1] ??
    assert.fail(`no ${language} behind ${words}`)
  )
}

describe('the guide', () => {
  const secret = newSecret()
  const body = '{"note":"Größe ✓"}'

  test('checks signatures in Python', { skip: !has('python3') && 'there is no Python here' }, () => {
    const code = codeBehind('**Python**', 'python')
    const check = (headers: object, text: string) => {
      const call =
        'import json, sys\ngiven = json.loads(sys.stdin.read())\nprint(is_from_lading(given["secret"], given["headers"], given["body"].encode()))'
      const { stdout, stderr } = spawnSync('python3', ['-c', `${code}\n${call}`], {
        input: JSON.stringify({ secret, headers, body: text }),
        encoding: 'utf8',
      })
      return stdout.trim() || stderr
    }
    const headers = signedHeaders([newSecret(), secret], { id: 'x', at: new Date(), body })
    assert.deepEqual([check(headers, body), check(headers, `${body} `)], ['True', 'False'])
    assert.equal(check(signedHeaders([secret], { id: 'x', at: new Date(0), body }), body), 'False')
  })

  test('signs with openssl as we do', { skip: !has('openssl') && 'there is no openssl here' }, () => {
    const lines = codeBehind('**curl**', 'sh').split('\n').slice(0, 4).join('\n')
    const { stdout } = spawnSync(
      'sh',
      ['-c', `${lines}\nprintf '%s\\n%s\\n%s\\n%s' "$ID" "$TIME" "$SIGNATURE" "$BODY"`],
      {
        env: { ...process.env, SECRET: secret },
        encoding: 'utf8',
      },
    )
    const [id = '', time = '', signature = '', sent = ''] = stdout.split('\n')
    assert.equal(new Webhook(secret).sign(id, new Date(Number(time) * 1000), sent), `v1,${signature}`)
  })
})
