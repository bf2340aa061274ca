import Type from 'typebox'
import type { Scope } from '../access/scopes.ts'
import { envelopeOf, Id } from '../core/schema/schema.ts'
import { ok, revised } from '../http/answers/answers.ts'
import type { App } from '../http/edge/app.ts'
import { requireAllScopes } from '../http/edge/authenticate.ts'
import { emptyBody } from '../http/input/json-body.ts'
import { answers } from '../http/openapi/openapi.ts'
import { cancelTransfer, requireTransfer } from './actions.ts'
import { fileRoutes, idIn } from './file-routes.ts'
import {
  asTheyAre,
  inCamelCase,
  renamedJson,
  searchIn,
  TransferSearch,
  TransferSearchInV2,
  transferSchema,
} from './model.ts'
import { listTransfers } from './store.ts'

/** The names of the resource in a version of the API. */
export const versions = {
  v1: { schema: 'Transfer', naming: asTheyAre, nextName: 'next_after', operations: '' },
  v2: { schema: 'TransferV2', naming: inCamelCase, nextName: 'nextAfter', operations: 'PlatformModel' },
} as const

/** Imports and exports that are worked off in the background. `scopes` are those of everything that can be transferred: a caller sees what its own allow. */
export const transfers = (version: keyof typeof versions, scopes: readonly Scope[]) => async (app: App) => {
  const { schema, naming, nextName, operations } = versions[version]
  const config = { scope: scopes }
  const tags = ['Transfers']
  const params = Type.Object({ transferID: Id('The transfer.') })
  const One = Type.Object({ transfer: Type.Ref(schema) })
  const json = (text: string) => `{"transfer":${renamedJson(text, naming)}}`
  app.addSchema(transferSchema(schema, naming))

  app.get(
    '/transfers',
    {
      config,
      schema: {
        tags,
        operationId: `search${operations}Transfers`,
        summary: 'Search imports and exports',
        description:
          'Lists the imports and exports of the background that the scopes of the token allow to see, the newest first.',
        querystring: naming === asTheyAre ? TransferSearch : TransferSearchInV2,
        response: answers({ 200: envelopeOf('transfers', Type.Ref(schema), nextName) }),
      },
    },
    async ({ ctx, query, token }) => {
      const text = await listTransfers(ctx, searchIn(query), [...token.scopes], nextName)
      if (naming === asTheyAre) return ok(text)
      const { transfers, ...page } = JSON.parse(text)
      return ok(
        JSON.stringify({
          transfers: transfers.map((one: object) => JSON.parse(renamedJson(JSON.stringify(one), naming))),
          ...page,
        }),
      )
    },
  )

  app.get(
    '/transfers/:transferID',
    {
      config,
      schema: {
        tags,
        operationId: `get${operations}Transfer`,
        summary: 'Get an import or an export',
        description:
          'Answers how far it is. Ask again with the ETag in `If-None-Match`: as long as nothing has happened the answer is 304.',
        params,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const found = await requireTransfer(request.ctx, idIn(request))
      requireAllScopes(request, found.scope)
      return revised({ revision: found.revision, json: json(found.json) })
    },
  )

  app.post(
    '/transfers/:transferID/cancel',
    {
      config,
      schema: {
        tags,
        operationId: `cancel${operations}Transfer`,
        summary: 'Cancel an import or an export',
        description:
          'Ends it after the lot that is being worked off. What was written stays. One that has ended is refused with 409, unless it was cancelled.',
        params,
        body: emptyBody,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const id = idIn(request)
      requireAllScopes(request, (await requireTransfer(request.ctx, id)).scope)
      const found = await cancelTransfer(request.ctx, id)
      return revised({ revision: found.revision, json: json(found.json) })
    },
  )

  fileRoutes(app, { config, tags, params, operations })
}
