import Type from 'typebox'
import { envelopeOf } from '../../../platform/core/schema/schema.ts'
import { AsOf } from '../../../platform/events/history/as-of.ts'
import { created, noContent, ok, revised } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { naming, namingDuplicates, unwrap } from '../../../platform/http/input/whole-bodies.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { pascal, withArticle } from '../model/fields/shape.ts'
import type { Edit } from '../model/fields/standard-fields.ts'
import type { Kind } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'
import { listDocuments } from '../store/store.ts'
import { createDocument, type DocumentInput, removeDocument, updateDocument } from '../writing/actions.ts'
import type { OriginHooks } from '../writing/origins.ts'
import { readAsOf } from './as-of.ts'
import { pathsOf, readOne, requireKnownCurrencies } from './paths.ts'

export function recordRoutes(app: App, kind: Kind, following: OriginHooks): void {
  const { noun, plural, schemas, lines } = kind
  const { all, one, config, tags, params, referenceIn } = pathsOf(kind)

  app.get(
    all,
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: `search${pascal(plural)}`,
        summary: `Search ${plural}`,
        description: `Finds the ${plural} of the organization that match every filter given, newest first, with the exact total.`,
        querystring: schemas.Search,
        response: answers({ 200: envelopeOf(plural, Type.Ref(pascal(noun))) }),
      },
    },
    async ({ ctx, query }) => {
      await requireKnownCurrencies(ctx, kind, query as Search)
      return ok(await listDocuments(ctx, kind, query as Search))
    },
  )

  app.post(
    all,
    {
      config,
      preValidation: unwrap(noun),
      schema: {
        tags,
        operationId: `create${pascal(noun)}`,
        summary: `Create ${withArticle(noun)}`,
        description:
          'Makes a draft, with its lines if it comes with some. `external_id` can be set here and never again. What a draft cannot have yet (`status_id`, `sent_at`, `paid_at`) is ignored and named in X-Ignored-Fields.',
        body: schemas.New,
        response: answers({ 201: schemas.Found }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ignored, duplicates, ...made } = await createDocument(ctx, kind, body as DocumentInput)
      return created(revised(made, { ...naming(ignored), ...namingDuplicates(duplicates) }), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: `get${pascal(noun)}`,
        summary: `Get ${withArticle(noun)}`,
        description: `Answers the ${noun} with its lines, pay term and currency; with \`as_of\` as it stood at a moment.`,
        params,
        querystring: AsOf,
        response: answers({ 200: schemas.Found }),
      },
    },
    async ({ ctx, params, query: { as_of } }) =>
      as_of === undefined ? revised(await readOne(ctx, kind, params)) : ok(await readAsOf(ctx, kind, params, as_of)),
  )

  app.put(
    one,
    {
      config,
      preValidation: unwrap(noun),
      schema: {
        tags,
        operationId: `update${pascal(noun)}`,
        summary: `Update ${withArticle(noun)}`,
        description: `Only the fields that are sent apply; null clears. A whole ${noun} as it was read can be sent back with one field changed. Lines in \`${lines.plural}\` change, by their \`id\`, or are added, without one; lines that are not named stay. What is not the client’s to set is ignored and named in the header X-Ignored-Fields. A change of content after sending makes the ${noun} \`edited\`; a paid ${noun} has to be reopened first. The body’s \`revision\` locks nothing: use \`If-Match\`.`,
        params,
        body: schemas.Edit,
        response: answers({ 200: schemas.Updated }),
      },
    },
    async (request) => {
      const { ignored, duplicates, ...updated } = await updateDocument(
        request.ctx,
        kind,
        referenceIn(request.params),
        request.body as Edit,
        expectedIn(request),
      )
      return revised(updated, { ...naming(ignored), ...namingDuplicates(duplicates) })
    },
  )

  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: `delete${pascal(noun)}`,
        summary: 'Delete a draft',
        description: `Only a draft that was never saved can be deleted; any other ${noun} is a 409. What has a number is voided instead.`,
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeDocument(request.ctx, kind, referenceIn(request.params), expectedIn(request), following)
      return noContent
    },
  )
}
