/** What the console says about a field while one types is what the server would say about it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validate } from '../../server/src/identity/applications/model.ts'
import { isRedirectUri } from '../src/developers/oauth-applications/form/redirect-uri.ts'

const uris = [
  'https://sync.example.com/callback',
  'https://sync.example.com:8443/callback?x=1',
  'http://127.0.0.1:3000/callback',
  'http://[::1]:3000/callback',
  'http://localhost/callback',
  'http://sync.example.com/callback',
  'https://user:password@sync.example.com/',
  'https://*.example.com/',
  'https://sync.example.com/#fragment',
  'https://sync.example.com/a b',
  'https:\\\\sync.example.com',
  'https://sync.example.com/é',
  'javascript:alert(1)',
  'com.example.app:/callback',
  'ftp://127.0.0.1/',
  '/callback',
  'nothing',
]

test('a redirect URI is good to the console exactly when it is good to the server', () => {
  for (const uri of uris) assert.equal(isRedirectUri(uri), isGoodToServer(uri), uri)
})

function isGoodToServer(uri: string): boolean {
  try {
    validate({
      name: 'x',
      type: 'confidential',
      redirect_uris: [uri],
      scopes: [],
      grant_types: [],
      require_pkce: false,
      access: 'read_write',
    })
    return true
  } catch {
    return false
  }
}
