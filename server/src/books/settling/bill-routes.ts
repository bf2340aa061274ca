import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id } from '../../platform/core/schema/schema.ts'
import { revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { BillList } from '../consolidated-bills/model.ts'
import { config, params, path, response, statementIn, tags } from '../consolidated-bills/paths.ts'
import { addBills, removeBillFrom } from './statements.ts'

/** The bills on a statement. */
export function billRoutes(app: App): void {
  app.post(
    `${path}/bills`,
    {
      config,
      schema: {
        tags,
        operationId: 'addBillsToConsolidatedBill',
        summary: 'Add bills to a statement',
        description: 'Adds bills of the same payee and currency that are on no other statement.',
        params,
        body: BillList,
        response,
      },
    },
    async (request) =>
      revised(await addBills(request.ctx, statementIn(request.params), request.body.bill_ids, expectedIn(request))),
  )

  app.delete(
    `${path}/bills/:billID`,
    {
      config,
      schema: {
        tags,
        operationId: 'removeBillFromConsolidatedBill',
        summary: 'Take a bill off a statement',
        description: 'Takes the bill off the statement; the bill itself stays.',
        params: Type.Object({ ...params.properties, billID: named('BillUuid', Id('The bill.')) }),
        response,
      },
    },
    async (request) =>
      revised(
        await removeBillFrom(request.ctx, statementIn(request.params), request.params.billID, expectedIn(request)),
      ),
  )
}
