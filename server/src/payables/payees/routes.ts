import { notFound } from '../../platform/core/refusal.ts'
import { apart, envelopeOf, Id, paging, referenceParam } from '../../platform/core/schema/schema.ts'
import Type from '../../platform/core/schema/type.ts'
import type { PlainReference } from '../../platform/core/values/ids.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../platform/security-log/visitor.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { approveChange, rejectChange } from './changes.ts'
import { createPayee, removePayee, revealPayee, updatePayee } from './recorded/actions.ts'
import {
  Decision,
  type PayeeEdit as Edit,
  NewPayee,
  Payee,
  PayeeChange,
  PayeeEdit,
  PayeeSearch,
  Revealed,
} from './recorded/model.ts'
import { requireBankDetailsRight } from './recorded/rights.ts'
import { findPayee, listChanges, listPayees } from './recorded/store.ts'

const config = { scope: 'bills' } as const
const tags = ['Payees']
const all = '/payees'
const one = `${all}/:payeeID`
const params = referenceParam('payeeID', 'payee')
const One = Type.Object({ payee: Type.Ref('Payee') })
const response = answers({ 200: One })

export const payees = (vault: Vault) => async (app: App) => {
  app.addSchema(Payee)
  app.addSchema(PayeeChange)
  noteVisits(app)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPayees',
        summary: 'Search payees',
        description:
          'Lists the payees that match every filter given, newest first, with the exact total. Bank details are masked.',
        querystring: PayeeSearch,
        response: answers({ 200: envelopeOf('payees', Type.Ref('Payee')) }),
      },
    },
    async ({ ctx, query }) => ok(await listPayees(ctx, query)),
  )

  app.post(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'createPayee',
        summary: 'Create a payee',
        description:
          'Makes the payee of a carrier, of which each has one, or without `partner_carrier_id` that of a factoring company. It waits for a second person: until somebody else has approved it, payments to it are a 409 `payee_change_waiting`.',
        body: NewPayee,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createPayee(ctx, vault, body)
      return created(record('payee', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPayee',
        summary: 'Get a payee',
        description: 'Answers the payee, its bank details masked.',
        params,
        response,
      },
    },
    async ({ ctx, params: { payeeID } }) => {
      const found = await findPayee(ctx, referenceIn(payeeID, 'payeeID'))
      if (!found) throw notFound('payee', payeeID)
      return record('payee', found)
    },
  )

  app.put(
    one,
    {
      config,
      preValidation: unwrap('payee'),
      schema: {
        tags,
        operationId: 'updatePayee',
        summary: 'Update a payee',
        description:
          'Only the fields that are sent apply; null clears. What says where money goes (`name`, `method`, `bank_details`, `address`, `factor_payee_id` and its notice) becomes a change that waits for a second person, shown in `waiting_change`, and payments to the payee wait with it; the rest applies at once. A change of a payee that was never approved has all that becomes active with it. One change waits at a time: another is a 409.',
        params,
        body: PayeeEdit,
        response,
      },
    },
    async (request) => {
      const { input, ignored } = apart(PayeeEdit, request.body)
      const reference = referenceIn(request.params.payeeID, 'payeeID')
      return record(
        'payee',
        await updatePayee(request.ctx, vault, reference, input as Edit, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deletePayee',
        summary: 'Delete a payee',
        description:
          'Deletes the payee. It is refused with 409 while a change of it waits, where a payment run has paid it, or where carriers have assigned what they are owed to it.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removePayee(request.ctx, referenceIn(request.params.payeeID, 'payeeID'), expectedIn(request))
      return noContent
    },
  )

  app.post(
    `${one}/reveal`,
    {
      config: { ...config, right: 'see_bank_details', dryRun: false },
      schema: {
        tags,
        operationId: 'revealPayee',
        summary: 'Show the bank details of a payee',
        description:
          'Answers the bank details whole, those in use and those of a change that waits. Who has asked is kept in the security log and in the history of the payee. It needs the right `see_bank_details`.',
        params,
        body: optional(Type.Object({})),
        response: answers({ 200: Revealed }),
      },
    },
    async ({ ctx, params: { payeeID } }) => {
      await requireBankDetailsRight(ctx)
      const revealed = await revealPayee(ctx, vault, referenceIn(payeeID, 'payeeID'))
      // What is kept for an Idempotency-Key is in the database, where no bank details are readable.
      return {
        ...ok(JSON.stringify(revealed)),
        kept: JSON.stringify({ bank_details: null, waiting_bank_details: null }),
      }
    },
  )

  changes(app)

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'Payee', one: 'a payee', note: deletedToo },
    recordIn({ ctx, params }) {
      const { payeeID: sent } = params as { payeeID: string }
      const find = async (reference: PlainReference) => (await findPayee(ctx, reference))?.id
      return recordedBy(referenceIn(sent, 'payeeID'), { type: 'payee', what: 'payee', sent, find })
    },
  })
}

function changes(app: App): void {
  const ofChange = Type.Object({ ...params.properties, changeID: Id('The change.') })

  app.get(
    `${one}/changes`,
    {
      config,
      schema: {
        tags,
        operationId: 'listPayeeChanges',
        summary: 'The changes of a payee',
        description:
          'Lists the changes of where the money of the payee goes, newest first: who asked for each, who decided, and when.',
        params,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('payee_changes', Type.Ref('PayeeChange')) }),
      },
    },
    async ({ ctx, params: { payeeID }, query }) => {
      const found = await findPayee(ctx, referenceIn(payeeID, 'payeeID'))
      if (!found) throw notFound('payee', payeeID)
      return ok(await listChanges(ctx, found.id, query))
    },
  )

  app.post(
    `${one}/changes/:changeID/approve`,
    {
      config: { ...config, right: 'approve' },
      schema: {
        tags,
        operationId: 'approvePayeeChange',
        summary: 'Approve a change of a payee',
        description:
          'Lets a change that waits apply. It needs another person than the one who asked for it; only where the organization has a single user, that one may approve, and the change says so. What applies is in `fields` of the change, and nothing else.',
        params: ofChange,
        body: optional(Decision),
        response,
      },
    },
    async (request) => {
      const { payeeID, changeID } = request.params
      return record(
        'payee',
        await approveChange(
          request.ctx,
          referenceIn(payeeID, 'payeeID'),
          changeID,
          request.body ?? {},
          expectedIn(request),
        ),
      )
    },
  )

  app.post(
    `${one}/changes/:changeID/reject`,
    {
      config: { ...config, right: 'approve' },
      schema: {
        tags,
        operationId: 'rejectPayeeChange',
        summary: 'Reject a change of a payee',
        description:
          'Ends a change that waits: the payee stays as it was, and one that is new stays unapproved, so that its next change has all of it again. Who asked for it may take it back in the same way.',
        params: ofChange,
        body: optional(Decision),
        response,
      },
    },
    async (request) => {
      const { payeeID, changeID } = request.params
      return record(
        'payee',
        await rejectChange(
          request.ctx,
          referenceIn(payeeID, 'payeeID'),
          changeID,
          request.body ?? {},
          expectedIn(request),
        ),
      )
    },
  )
}
