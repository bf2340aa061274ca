/**
 * Run by reference.ts as a process of its own, which answers once and ends: the library brings its megabytes inside its code, as routes for an app,
 * and would hold 80 MB for as long as the server runs.
 */
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { compress, tagOf } from '../../platform/http/answers/prepared.ts'
import { areas, documentOf, firstArea, pageOf } from './areas.ts'
import { barAbove, barOfAreas } from './guide-page.ts'
import { referenceStyle } from './style.ts'

/** Where the page asks for its script, below /docs. */
const scriptPath = 'js/scalar.js'

const publicUrl = process.argv[2]

/** A flow that gets a token on the page: the secret goes into the body, where our own examples put it. */
const flow = { 'x-scalar-credentials-location': 'body' }
/**
 * The address to come back to is among the redirect URIs of the demo's application. It is added to both requests, because the component forgets the
 * one in its own field as soon as a client id is typed in.
 */
const redirect_uri = `${publicUrl}/docs`
const codeFlow = {
  'x-usePkce': 'SHA-256',
  'x-scalar-redirect-uri': redirect_uri,
  'x-scalar-security-query': { redirect_uri },
  'x-scalar-security-body': { redirect_uri },
}

const configuration = {
  url: documentOf(firstArea),
  pageTitle: 'API reference · Lading',
  favicon: '/favicon.svg',
  theme: 'default',
  customCss: referenceStyle,
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  // The bar above and the guides follow the system, so the reference does too.
  hideDarkModeToggle: true,
  // The document of this page is not the one to download; the bar leads to that.
  documentDownloadType: 'none',
  authentication: {
    preferredSecurityScheme: 'oauth2',
    securitySchemes: {
      oauth2: { flows: { authorizationCode: { ...flow, ...codeFlow }, password: flow, clientCredentials: flow } },
    },
  },
  agent: { disabled: true },
  mcp: { disabled: true },
}

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: configuration as never })
const [page, script] = [await app.inject('/docs/'), await app.inject(`/docs/${scriptPath}`)]
const tag = tagOf(script.body)
const html = page.body
  .replace('<html>', '<html lang="en">')
  .replace('</head>', '<link rel="stylesheet" href="/docs/style.css"></head>')
  .replace(`"${scriptPath}"`, `"/docs/${scriptPath}?${tag}"`)
const pages = areas.map((area) => ({
  path: pageOf(area),
  html: html
    .replace(/<body[^>]*>/, (body) => `${body}${barAbove('reference')}${barOfAreas(area)}`)
    .replace(documentOf(firstArea), documentOf(area))
    .replace(/(?<=<title>)/, area === firstArea ? '' : `${area.title} · `),
}))
process.send?.({ pages, script: { tag, ...(await compress(script.rawPayload)) } })
