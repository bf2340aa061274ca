import Type from 'typebox'
import { notFound } from '../../../platform/core/refusal.ts'
import { named } from '../../../platform/core/schema/names.ts'
import { etagOf } from '../../../platform/core/schema/revisions.ts'
import { envelopeOf, Id, ignoredInBodies, paging } from '../../../platform/core/schema/schema.ts'
import { type Answer, created, ok } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../../platform/http/input/whole-bodies.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import type { LineEdit, NewLine } from '../model/fields/line-fields.ts'
import { capitalize, pascal, withArticle } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import { findLine, listLines } from '../store/line-store.ts'
import { addLine, changeLine, removeLine, reorderLines, type WithDocument } from '../writing/lines.ts'
import { idIn, pathsOf } from './paths.ts'

/** Lines belong to their document: whatever changes one locks the document. */
export function lineRoutes(app: App, kind: Kind): void {
  const { noun, schemas, lines } = kind
  const { all, one, config, params, sent, referenceIn } = pathsOf(kind)
  const tags = [`${capitalize(noun)} lines`]
  const items = `${one}/items`
  const ofLine = Type.Object({ ...params.properties, itemID: Id('The line.') })
  const itemIn = (params: unknown) => (params as { itemID: string }).itemID
  const Line = pascal(lines.noun)
  const Document = pascal(noun)
  const OneLine = Type.Object({ [lines.noun]: Type.Ref(Line) })
  const LineAndDocument = named(
    `${Line}Change`,
    Type.Object({ [lines.noun]: Type.Ref(Line), [noun]: Type.Ref(Document) }),
  )
  const DocumentOnly = named(`${Line}sChange`, Type.Object({ [noun]: Type.Ref(Document) }))
  const about = `The ${noun}’s sums follow in the same transaction; \`If-Match\` takes the ${noun}’s ETag.`
  const answered = ({ line, document, revision, ignored = [] }: WithDocument): Answer => ({
    status: 200,
    headers: { etag: etagOf(revision), ...naming(ignored) },
    body: line ? `{"${lines.noun}":${line},"${noun}":${document}}` : `{"${noun}":${document}}`,
  })

  app.get(
    items,
    {
      config,
      schema: {
        tags,
        operationId: `list${pascal(lines.plural)}`,
        summary: `List the lines of ${withArticle(noun)}`,
        description: `Lists the lines of the ${noun}, in their order.`,
        params,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf(lines.plural, Type.Ref(Line)) }),
      },
    },
    async ({ ctx, params, query }) => ok(await listLines(ctx, kind, await idIn(ctx, kind, params), query)),
  )

  app.post(
    items,
    {
      config,
      schema: {
        tags,
        operationId: `add${Line}`,
        summary: 'Add a line',
        description: `Adds a line behind the others. ${about}`,
        params,
        body: schemas.NewLine,
        response: answers({ 201: LineAndDocument }),
      },
    },
    async (request) => {
      const added = await addLine(
        request.ctx,
        kind,
        referenceIn(request.params),
        request.body as NewLine,
        expectedIn(request),
      )
      return created(answered(added), `/api/v1${all}/${encodeURIComponent(sent(request.params))}/items/${added.id}`)
    },
  )

  app.put(
    `${items}/order`,
    {
      config,
      schema: {
        tags,
        operationId: `reorder${pascal(lines.plural)}`,
        summary: 'Reorder the lines',
        description: `Takes all lines of the ${noun} in their new order. ${about}`,
        params,
        body: lineOrder(noun),
        response: answers({ 200: DocumentOnly }),
      },
    },
    async (request) =>
      answered(
        await reorderLines(request.ctx, kind, referenceIn(request.params), request.body.item_ids, expectedIn(request)),
      ),
  )

  app.get(
    `${items}/:itemID`,
    {
      config,
      schema: {
        tags,
        ...neverNotModified,
        operationId: `get${Line}`,
        summary: 'Get a line',
        description: `Answers one line of the ${noun}.`,
        params: ofLine,
        response: answers({ 200: OneLine }),
      },
    },
    async ({ ctx, params }) => {
      const found = await findLine(ctx, kind, await idIn(ctx, kind, params), itemIn(params))
      if (!found) throw notFound('line', itemIn(params))
      return ok(`{"${lines.noun}":${found}}`)
    },
  )

  app.put(
    `${items}/:itemID`,
    {
      config,
      preValidation: unwrap(lines.noun),
      schema: {
        tags,
        operationId: `update${Line}`,
        summary: 'Change a line',
        description: `Only the fields that are sent apply. ${about}`,
        params: ofLine,
        body: Type.Object(
          { ...schemas.LineEdit.properties, [noun]: Type.Optional(ignoredInBodies) },
          { examples: (schemas.LineEdit as { examples?: unknown[] }).examples ?? [] },
        ),
        response: answers({ 200: LineAndDocument }),
      },
    },
    async (request) =>
      answered(
        await changeLine(
          request.ctx,
          kind,
          referenceIn(request.params),
          itemIn(request.params),
          request.body as LineEdit,
          expectedIn(request),
        ),
      ),
  )

  app.delete(
    `${items}/:itemID`,
    {
      config,
      schema: {
        tags,
        operationId: `remove${Line}`,
        summary: 'Remove a line',
        description: `Removes the line for good. ${about}`,
        params: ofLine,
        response: answers({ 200: DocumentOnly }),
      },
    },
    async (request) =>
      answered(
        await removeLine(request.ctx, kind, referenceIn(request.params), itemIn(request.params), expectedIn(request)),
      ),
  )
}

function lineOrder(noun: string) {
  return Type.Object({
    item_ids: Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 1000,
      description: `All lines of the ${noun}, in the order they should have.`,
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  })
}
