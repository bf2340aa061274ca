/**
 * Run by reference.ts as a process of its own, which answers once and ends: the library brings its megabytes inside its code, as routes for an app,
 * and would hold 80 MB for as long as the server runs.
 */
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { compressed, tagOf } from './prepared.ts'

/** Where the page asks for its script, below /docs. */
const scriptPath = 'js/scalar.js'

const appearance = {
  url: '/openapi.json',
  pageTitle: 'API reference · Lading',
  favicon: '/favicon.svg',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'bearer' },
  agent: { disabled: true },
  mcp: { disabled: true },
}

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: appearance as never })
const [page, script] = [await app.inject('/docs/'), await app.inject(`/docs/${scriptPath}`)]
const tag = tagOf(script.body)
const html = page.body.replace('<html>', '<html lang="en">').replace(`"${scriptPath}"`, `"${scriptPath}?${tag}"`)
process.send?.({ html, script: { tag, ...(await compressed(script.rawPayload)) } })
