import { gunzipSync, gzipSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { Settings } from '../../../settings.ts'
import { scopes } from '../../access/scopes.ts'
import { withAddresses } from '../../addresses.ts'
import type { References } from '../input/references.ts'
import { withComponents } from './openapi-components.ts'
import { alwaysWhole, completeOperations } from './openapi-operations.ts'

const introduction = `
Lading is an open transport-management platform: carrier bills, bill item types, consolidated bills and an object model of customers, orders, manifests and more.

**Authentication.** Every call carries an access token of one organization: \`Authorization: Bearer <access token>\`.

**Quick start.** On a fresh installation the keys of the demo are in \`data/demo.json\`. A token by the password flow, and the first call:

\`\`\`sh
curl {token_url} -d grant_type=password -d username=… -d password=… -d client_id=… -d client_secret=… -d audience={audience}
curl {base_url}/api/v1/bills?status_ids=sent -H "Authorization: Bearer <access_token>"
\`\`\`

By the authorization code flow: open \`{authorize_url}?response_type=code&client_id=…&redirect_uri=…&audience={audience}&state=…\` in a browser, sign in and allow it, then exchange the \`code\` you come back with, within a minute:

\`\`\`sh
curl {token_url} -d grant_type=authorization_code -d code=… -d redirect_uri=… -d client_id=… -d client_secret=… -d audience={audience}
\`\`\`

Access tokens live for 1 hour; refresh tokens for 14 days unused and 90 at most, each good once. Every operation below names the scope it needs. [More on tokens]({base_url}/docs/oauth).

**Conventions.** Absent values are \`null\`. Unknown query parameters and fields are ignored and named in \`X-Ignored-Parameters\` and \`X-Ignored-Fields\`, or, with \`Prefer: handling=strict\`, refused. Times are RFC 3339 in UTC; times that are sent may also be bare dates, or have no offset, and are in UTC then.
Searches answer \`offset\`, \`limit\` and an exact \`total\`. Arrays in a query come as a repeated key, as \`key[]\`, as \`key[0]\`, or comma-separated.

**Safe writes.** Every write takes an \`Idempotency-Key\`, so that a retry is never done twice. Records carry an \`ETag\`; \`If-Match\` refuses to overwrite another's change.

**Errors.** Every refusal says what is wrong, where, and what to do, with a \`request_id\` to quote. The schema \`ErrorCode\` lists all codes, and [errors]({base_url}/docs/errors) says what to do about each.

**Guides and downloads.** [All guides]({base_url}/docs/guides), the [OpenAPI document]({base_url}/openapi.json), a [Postman collection]({base_url}/docs/postman.json), and [llms.txt]({base_url}/llms.txt) for programs that read documentation.
`.trim()

/** The successful answers of a route; every refusal that it can give is added to the document by `completeOperations`. */
export function answers(bodies: Record<number, TSchema>): Record<number, unknown> {
  return bodies
}

/** For the schema of a route that reads one record and is never answered with a 304: the record has no ETag, or shows more than it covers. */
export const neverNotModified = { [alwaysWhole]: true }

/** The document is made from the routes themselves. Registered before them, so that it sees them all. `errorCodes` are those of all rooms, `webhooks` the requests that we make. */
export async function describeApi(
  app: FastifyInstance,
  settings: Settings,
  { kindOf }: References,
  errorCodes: readonly string[],
  webhooks: Record<string, object> = {},
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lading API',
        version: '1.0.0',
        summary: 'Carrier bills, statements and the objects of transport, behind one REST API.',
        description: withAddresses(introduction, settings),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as never,
      },
      servers: [{ url: settings.publicUrl, description: 'This installation.' }],
      components: { securitySchemes: securitySchemes(settings) },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    // The plugin keeps what it gets here as long as the process lives: the text compressed, 0.3 MB, where the objects would be 6 MB.
    transformObject: (document) =>
      gzipSync(
        JSON.stringify(
          withComponents(
            completeOperations(
              { ...(document as { openapiObject: object }).openapiObject, webhooks },
              kindOf,
              errorCodes,
            ),
          ),
        ),
        { level: 1 },
      ) as never,
  })
}

/** Made when it is first asked for. */
export function documentText(app: FastifyInstance): string {
  return gunzipSync(app.swagger() as unknown as Buffer).toString()
}

function securitySchemes({ authUrl }: Settings): Record<string, never> {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token, in the header Authorization.',
    },
    oauth2: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: `${authUrl}/oauth2/authorize`,
          tokenUrl: `${authUrl}/oauth2/token`,
          scopes,
        },
        password: { tokenUrl: `${authUrl}/oauth2/token`, scopes },
        clientCredentials: { tokenUrl: `${authUrl}/oauth2/token`, scopes },
      },
    },
  } as unknown as Record<string, never>
}
