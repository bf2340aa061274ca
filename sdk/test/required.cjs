// A program in CommonJS, which loads the modules by require.
// A warning about this way of loading would be in the log of every such program.
process.on('warning', (warning) => {
  throw warning
})
const assert = require('node:assert/strict')
const { createLading, LadingConnectionError } = require('@lading/sdk')
const { createSignIn } = require('@lading/sdk/sign-in')

const lading = createLading({
  baseUrl: 'https://tms.example.com',
  token: 'good',
  fetch: async () => Response.json({ total: 7 }),
})
lading.GET('/api/v1/bills').then(({ data }) => {
  assert.equal(data.total, 7)
  assert.equal(typeof createSignIn, 'function')
  assert.equal(new LadingConnectionError(new TypeError('x'), { attempts: 1 }).timedOut, false)
  process.stdout.write('loaded')
})
