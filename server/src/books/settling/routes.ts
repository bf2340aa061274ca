import Type from 'typebox'
import { created, noContent, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import {
  ConsolidatedBillEdit,
  type ConsolidatedBillEdit as Edit,
  type NewConsolidatedBill as New,
  NewConsolidatedBill,
} from '../consolidated-bills/model.ts'
import { config, Found, params, path, response, statementIn, tags } from '../consolidated-bills/paths.ts'
import { billRoutes } from './bill-routes.ts'
import { moveRoutes, type StatementMailer, voidRoute } from './move-routes.ts'
import { createConsolidatedBill, removeConsolidatedBill, updateConsolidatedBill } from './statements.ts'

/** What is done to statements, and to their bills with them. */
export const settling =
  (sending: StatementMailer) =>
  async (app: App): Promise<void> => {
    app.post(
      '/consolidated_bills',
      {
        config,
        schema: {
          tags,
          operationId: 'createConsolidatedBill',
          summary: 'Create a consolidated bill',
          description:
            'Makes a statement from a list of bills, or from a payee and a period: then it gathers every saved, sent or edited bill of the payee dated in the period that is on no statement yet. All bills share one payee and one currency.',
          body: NewConsolidatedBill,
          response: answers({ 201: Found }),
        },
      },
      async ({ ctx, body }) => {
        const { id, ...made } = await createConsolidatedBill(ctx, body as New)
        return created(revised(made), `/api/v1/consolidated_bills/${id}`)
      },
    )

    app.put(
      path,
      {
        config,
        preValidation: unwrap('consolidated_bill'),
        schema: {
          tags,
          operationId: 'updateConsolidatedBill',
          summary: 'Update a consolidated bill',
          description:
            'Only the fields that are sent apply; null clears. What is not the client’s to set is ignored and named in X-Ignored-Fields. A `status_id` moves its bills too: one that sends, pays or reopens them needs the scope `bills` as well.',
          params,
          body: ConsolidatedBillEdit,
          response,
        },
      },
      async (request) => {
        const { ignored, ...updated } = await updateConsolidatedBill(
          request.ctx,
          statementIn(request.params),
          request.body as Edit,
          expectedIn(request),
        )
        return revised(updated, naming(ignored))
      },
    )

    app.delete(
      path,
      {
        config,
        schema: {
          tags,
          operationId: 'deleteConsolidatedBill',
          summary: 'Delete a draft statement',
          description:
            'Only a draft that was never saved can be deleted; any other statement is a 409. What has a number is voided instead. Its bills stay, free for another statement.',
          params,
          response: answers({ 204: Type.Null() }),
        },
      },
      async (request) => {
        await removeConsolidatedBill(request.ctx, statementIn(request.params), expectedIn(request))
        return noContent
      },
    )

    billRoutes(app)
    voidRoute(app)
    moveRoutes(app, sending)
  }
