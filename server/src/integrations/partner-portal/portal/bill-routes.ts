import Type from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { envelopeOf, Id } from '../../../platform/core/schema/schema.ts'
import { created, ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import { Message } from '../questions/model.ts'
import { ask } from './doing.ts'
import { BillPage, PortalBill, PortalThread } from './model.ts'
import { findThread, listOwn } from './own/own-store.ts'
import { asPartner, base, config, requireOwn, tags } from './paths.ts'

const all = `${base}/bills`
const one = `${all}/:billID`
const params = Type.Object({ billID: named('BillUuid', Id('The bill.')) })
const Thread = Type.Object({
  question: Type.Union([Type.Ref('PortalThread'), Type.Null()], { description: 'Null while nothing was asked.' }),
})

/** What a carrier is paid, and its questions about it. */
export async function portalBills(app: App): Promise<void> {
  app.addSchema(PortalBill)
  app.addSchema(PortalThread)
  const idIn = (request: { params: unknown }) => (request.params as { billID: string }).billID

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPortalBills',
        summary: 'The carrier’s bills',
        description:
          'Lists the bills that pay the carrier, newest first, with the exact total: what is approved, what is paid and when that is expected. Drafts and voided bills are not shown.',
        querystring: BillPage,
        response: answers({ 200: envelopeOf('bills', Type.Ref('PortalBill')) }),
      },
    },
    asPartner(async (partner, { query }) => ok(await listOwn(partner, 'bills', query as object))),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPortalBill',
        summary: 'One of the carrier’s bills',
        description: 'Answers a bill with its lines.',
        params,
        response: answers({ 200: Type.Object({ bill: Type.Ref('PortalBill') }) }),
        ...neverNotModified,
      },
    },
    asPartner(async (partner, request) => ok(`{"bill":${(await requireOwn(partner, 'bills', idIn(request))).json}}`)),
  )

  app.get(
    `${one}/questions`,
    {
      config,
      schema: {
        tags,
        operationId: 'getPortalQuestions',
        summary: 'What was asked about a bill',
        description: 'Answers the thread of the carrier about the bill, with the answers.',
        params,
        response: answers({ 200: Thread }),
      },
    },
    asPartner(async (partner, request) => {
      const { id } = await requireOwn(partner, 'bills', idIn(request))
      return ok(`{"question":${(await findThread(partner, id))?.json ?? 'null'}}`)
    }),
  )

  app.post(
    `${one}/questions`,
    {
      config,
      schema: {
        tags,
        operationId: 'askAboutPortalBill',
        summary: 'Ask about a bill',
        description:
          'Adds a message to the thread about the bill, which the clerks of the organization see and answer.',
        params,
        body: Message,
        response: answers({ 201: Thread }),
      },
    },
    asPartner(async (partner, request) => {
      const thread = await ask(partner, idIn(request), (request.body as Message).text)
      return created(ok(`{"question":${thread.json}}`), `/api/v1${all}/${idIn(request)}/questions`)
    }),
  )
}
