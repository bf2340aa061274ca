// Runs under every Node that the package promises, so it is plain JavaScript.
import assert from 'node:assert/strict'
import { createLading } from '@lading/sdk'
import { createSignIn, SignedOut } from '@lading/sdk/sign-in'

const sent = []
const lading = createLading({
  baseUrl: 'https://tms.example.com',
  token: async () => 'good',
  async fetch(request) {
    sent.push([request.method, request.url, request.headers.get('authorization')])
    return Response.json({ total: 7 })
  },
})
const { data } = await lading.GET('/api/v1/bills', { params: { query: { status_ids: ['sent', 'paid'], limit: 5 } } })
assert.equal(data.total, 7)
assert.deepEqual(sent, [['GET', 'https://tms.example.com/api/v1/bills?status_ids=sent&status_ids=paid&limit=5', 'Bearer good']])

const kept = new Map()
const signIn = createSignIn({
  authUrl: 'https://tms.example.com',
  clientId: 'page',
  redirectUri: 'https://page.example/back',
  scope: 'openid',
  audience: 'https://tms.example.com/',
  storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) },
})
assert.match(await signIn.begin('/bills'), /^https:\/\/tms\.example\.com\/oauth2\/authorize\?response_type=code&.*code_challenge_method=S256/)
await assert.rejects(signIn.token(), SignedOut)
