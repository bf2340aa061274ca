import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorizeUrl, Browser } from './browser.ts'
import {
  askToken,
  callback,
  credentials,
  newParty,
  openHouse,
  password,
  post,
  refresh,
  tokensByPassword,
} from './house.ts'

test('with the database away, token requests are answered 503 with Retry-After in the form of OAuth, and pages as pages', async () => {
  const house = await openHouse()
  const party = await newParty(house)
  const tokens = await tokensByPassword(house, party)
  const browser = new Browser(house)
  await browser.post('/sign-in', { email: party.email, password })
  await house.pool.end(0)
  for (const answer of [
    await askToken(house, party, { grant_type: 'client_credentials' }),
    await askToken(house, party, { grant_type: 'password', username: party.email, password }),
    await askToken(house, party, { grant_type: 'authorization_code', code: 'x', redirect_uri: callback }),
    await refresh(house, party, tokens.refresh_token),
    await post(house, '/oauth2/revoke', { ...credentials(party), token: tokens.refresh_token }),
    await post(house, '/oauth2/introspect', { ...credentials(party), token: tokens.refresh_token }),
  ]) {
    assert.equal(answer.statusCode, 503, answer.body)
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assert.equal(answer.json().error, 'temporarily_unavailable')
  }
  for (const page of [
    await browser.get(authorizeUrl(party)),
    await browser.get('/account'),
    await browser.post('/sign-in', { email: 'a@b.example', password }),
  ]) {
    assert.equal(page.status, 503, page.text)
    assert.match(String(page.headers['retry-after']), /^\d+$/)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(page.text, /^<!doctype html>/)
  }
})
