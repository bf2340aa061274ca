import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { kindScopes, scopeOf } from '../../platform/access/kind-scopes.ts'
import { invalid, notFound, quote } from '../../platform/core/refusal.ts'
import { changedBetween, envelopeOf, paging, separateIgnored } from '../../platform/core/schema/schema.ts'
import { isId } from '../../platform/core/values/ids.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { naming } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { builtInKinds } from '../kinds/built-in.ts'
import type { Extension } from '../kinds/extension.ts'
import { SearchBody } from '../search/schemas.ts'
import { type BoardOptions, createBoard, removeBoard, runBoard, updateBoard } from './actions.ts'
import { Board, BoardEdit, NewBoard } from './model.ts'
import { findBoard, findKindShown, type Kinds, listBoards } from './store.ts'

const config = { scope: kindScopes }
const tags = ['Boards']
const params = Type.Object({
  boardId: Type.String({ description: 'The id of the board.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e17'] }),
})
const scopeNote = 'The token needs the scope of the kind it shows.'
const { q, sort } = SearchBody.properties

export const boards = (extensions: readonly Extension[]) => async (app: App) => {
  app.addSchema(Board)
  const optionsFor = (request: Pick<FastifyRequest, 'token'>): BoardOptions => ({
    extensions,
    permit: (objectKey) => requireScope(request, scopeOf(objectKey)),
  })

  app.get(
    '/boards',
    {
      config,
      schema: {
        tags,
        operationId: 'listBoards',
        summary: 'List boards',
        description:
          'Lists the saved views of the organization, newest first: those of the kinds that the token’s scopes reach.',
        querystring: Type.Object({
          objectKey: Type.Optional(
            Type.String({ maxLength: 100, description: 'Keeps the boards of this kind.', examples: ['customer'] }),
          ),
          ...changedBetween,
          ...paging,
        }),
        response: answers({ 200: envelopeOf('boards', Type.Ref('Board'), 'nextAfter') }),
      },
    },
    async (request) => {
      if (request.query.objectKey !== undefined) requireScope(request, scopeOf(request.query.objectKey))
      return ok(await listBoards(request.ctx, request.query, kindsOf(request)))
    },
  )

  app.post(
    '/boards',
    {
      config,
      schema: {
        tags,
        operationId: 'createBoard',
        summary: 'Create a board',
        description: `Makes a saved view: a kind, a filter, columns and an order, each checked against the definition as a search would be. ${scopeNote}`,
        body: NewBoard,
        response: answers({ 201: Type.Ref('Board') }),
      },
    },
    async (request) => {
      const { id, ...made } = await createBoard(request.ctx, request.body, optionsFor(request))
      return created(revised(made), `/api/v2/platformModel/boards/${id}`)
    },
  )

  app.get(
    '/boards/:boardId',
    {
      config,
      schema: {
        tags,
        operationId: 'getBoard',
        summary: 'Get a board',
        description: `Answers one board. ${scopeNote}`,
        params,
        response: answers({ 200: Type.Ref('Board') }),
      },
    },
    async (request) => revised(await read(request)),
  )

  app.put(
    '/boards/:boardId',
    {
      config,
      schema: {
        tags,
        operationId: 'updateBoard',
        summary: 'Update a board',
        description: `Only what is sent applies; null clears. \`If-Match\` guards against overwriting another’s change. ${scopeNote}`,
        params,
        body: BoardEdit,
        response: answers({ 200: Type.Ref('Board') }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(BoardEdit, request.body)
      return revised(
        await updateBoard(request.ctx, idIn(request), input, expectedIn(request), optionsFor(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    '/boards/:boardId',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteBoard',
        summary: 'Delete a board',
        description: `Deletes the board; the objects stay. ${scopeNote}`,
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeBoard(request.ctx, idIn(request), expectedIn(request), optionsFor(request))
      return noContent
    },
  )

  app.get(
    '/boards/:boardId/objects',
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: 'listBoardObjects',
        summary: 'The objects of a board',
        description: `Searches with the board’s filter, columns and order, with the exact total. It is refused with 409 when the definition has changed so that the board no longer fits it. ${scopeNote}`,
        params,
        querystring: Type.Object({ q, sort, ...changedBetween, ...paging }),
        response: answers({ 200: envelopeOf('objects', Type.Ref('PlatformObject'), 'nextAfter') }),
      },
    },
    async (request) =>
      ok(await runBoard(request.ctx, JSON.parse((await read(request)).json), request.query, optionsFor(request))),
  )

  historyRoute(app, {
    ...{
      path: '/boards/:boardId',
      config,
      tags,
      params,
      name: 'Board',
      one: 'a board',
      note: `${deletedToo} ${scopeNote}`,
      nextName: 'nextAfter',
    },
    async recordIn({ ctx, token, params }) {
      const id = idIn({ params: params as { boardId: string } })
      const kind = await findKindShown(ctx, id)
      const unknown = () => notFound('board', id)
      if (kind === undefined) throw unknown()
      requireScope({ token }, scopeOf(kind))
      return { type: 'board', id, isThere: async () => true, unknown }
    },
  })
}

async function read(request: Pick<FastifyRequest, 'ctx' | 'token'> & { params: { boardId: string } }) {
  const id = idIn(request)
  const found = await findBoard(request.ctx, id)
  if (!found) throw notFound('board', id)
  requireScope(request, scopeOf(found.object_key))
  return found
}

function idIn({ params: { boardId } }: { params: { boardId: string } }): string {
  if (!isId(boardId))
    throw invalid('boardId', 'bad_uuid', `${quote(boardId)} is not the id of a board, which is a UUID.`)
  return boardId.toLowerCase()
}

function kindsOf({ token: { scopes } }: Pick<FastifyRequest, 'token'>): Kinds {
  const builtIn = builtInKinds.map(({ objectKey }) => objectKey)
  return { named: builtIn.filter((kind) => scopes.has(scopeOf(kind))), builtIn, own: scopes.has('services') }
}
