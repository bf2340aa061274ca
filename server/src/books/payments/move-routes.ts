import Type from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'
import { type Answer, created, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { clearPayment, issuePayment, voidPayment } from './actions.ts'
import { allocatePayment, removeAllocation } from './allocating.ts'
import { directionOf } from './ledger/locks.ts'
import {
  AllocationBody,
  type AllocationBody as Allocations,
  type RefundBody as Refund,
  RefundBody,
  VoidBody,
} from './ledger/model.ts'
import { config, One, params, path, requireAllowedPayment, response, tags } from './paths.ts'
import { scopeOf } from './payables.ts'
import { repricePayment } from './recording/repricing.ts'
import { otherWay, refundPayment } from './refunding.ts'

/** What is done with a payment, and with what it settles. */
export function moveRoutes(app: App): void {
  app.post(
    `${path}/issue`,
    {
      config,
      schema: {
        tags,
        operationId: 'issuePayment',
        summary: 'Issue a draft payment',
        description:
          'Gives a draft its number, and settles the documents that it is meant for. Nothing of it happens where one of them owes less by now.',
        params,
        response,
      },
    },
    async (request): Promise<Answer> =>
      record('payment', await issuePayment(request.ctx, await requireAllowedPayment(request), expectedIn(request))),
  )

  app.post(
    `${path}/clear`,
    {
      config,
      schema: {
        tags,
        operationId: 'clearPayment',
        summary: 'Mark a payment as cleared',
        description: 'Says that the bank has confirmed an issued payment.',
        params,
        response,
      },
    },
    async (request): Promise<Answer> =>
      record('payment', await clearPayment(request.ctx, await requireAllowedPayment(request), expectedIn(request))),
  )

  app.post(
    `${path}/void`,
    {
      config,
      schema: {
        tags,
        operationId: 'voidPayment',
        summary: 'Void a payment',
        description:
          'Takes back all that the payment settled: its documents stand where they stood before. Number and content stay. It needs a reason. A payment that was paid back is a 409 `refunded` while its refund stands; where a refund is voided, the payment that it paid back has that much more left.',
        params,
        body: VoidBody,
        response,
      },
    },
    async (request): Promise<Answer> =>
      record(
        'payment',
        await voidPayment(
          request.ctx,
          await requireAllowedPayment(request),
          (request.body as { reason: string }).reason,
          expectedIn(request),
        ),
      ),
  )

  app.post(
    `${path}/refund`,
    {
      config,
      schema: {
        tags,
        operationId: 'refundPayment',
        summary: 'Pay back what is left of a payment',
        description:
          'Pays back what of the payment settles nothing, or a part of it: makes a payment of the same party and currency in the other direction, issued at once, whose `refund_of_id` names the first. Never more than `unallocated_amount` is paid back. The token needs the scopes of both directions, `bills` and `invoices`. Voiding the refund gives the money back.',
        params,
        body: optional(RefundBody),
        response: answers({ 201: One }),
      },
    },
    async (request): Promise<Answer> => {
      const reference = await requireAllowedPayment(request)
      requireScope(request, scopeOf[otherWay[await directionOf(request.ctx, reference)]])
      const { id, ...made } = await refundPayment(request.ctx, reference, request.body as Refund, expectedIn(request))
      return created(record('payment', made), `/api/v1/payments/${id}`)
    },
  )
}

export function repriceRoute(app: App): void {
  app.post(
    `${path}/reprice`,
    {
      config,
      schema: {
        tags,
        operationId: 'repricePayment',
        summary: 'Reprice a payment',
        description:
          'Gives the payment the exchange rate that is known for the day of `paid_at` now, and what it gained or lost over the rates of its documents. Without a rate it is a 409, as it is for a draft, a voided payment and one that is dated in a closed period.',
        params,
        response,
      },
    },
    async (request): Promise<Answer> =>
      record('payment', await repricePayment(request.ctx, await requireAllowedPayment(request), expectedIn(request))),
  )
}

export function allocationRoutes(app: App): void {
  app.post(
    `${path}/allocations`,
    {
      config,
      schema: {
        tags,
        operationId: 'allocatePayment',
        summary: 'Allocate what is left of a payment',
        description:
          'Settles more documents of the same party and currency: those in `allocations`, or with `oldest_first` those that are due longest.',
        params,
        body: AllocationBody,
        response,
      },
    },
    async (request): Promise<Answer> =>
      record(
        'payment',
        await allocatePayment(
          request.ctx,
          await requireAllowedPayment(request),
          request.body as Allocations,
          expectedIn(request),
        ),
      ),
  )

  app.delete(
    `${path}/allocations/:allocationID`,
    {
      config,
      schema: {
        tags,
        operationId: 'removeAllocation',
        summary: 'Take a document out of a payment',
        description:
          'Takes back what the payment settled of one document, and answers the payment, which has that much more left.',
        params: Type.Object({ ...params.properties, allocationID: Id('The allocation.') }),
        response,
      },
    },
    async (request): Promise<Answer> =>
      record(
        'payment',
        await removeAllocation(
          request.ctx,
          await requireAllowedPayment(request),
          request.params.allocationID,
          expectedIn(request),
        ),
      ),
  )
}
