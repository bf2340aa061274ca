import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import { newId } from '../src/platform/core/values/ids.ts'
import { type Carrier, newCarrier, partnerPortal, portal } from './partners.ts'
import type { Caller, Service } from './service.ts'

type Doing = { org: string; call: Caller['call']; make(path: string, body: object): Promise<string> }
type Performance = (doing: Doing) => Promise<LightMyRequestResponse>

/** How the operations of the partner portal are done, for the test of the OpenAPI document. Calls below /portal are those of the carrier of the organization. */
export function partnerOperations(service: Service) {
  const carriers = new Map<string, Promise<Carrier>>()
  const carrierOf = ({ org }: Pick<Doing, 'org'>): Promise<Carrier> => {
    const carrier = carriers.get(org) ?? newCarrier(service, org)
    carriers.set(org, carrier)
    return carrier
  }

  const manifest = async (doing: Doing, body: object = {}) => {
    const stops = [{ kind: 'delivery', address: { city: 'Boise' } }]
    return doing.make('/api/v1/manifests', { currency_id: 'usd', stops, ...body })
  }
  const assigned = async (doing: Doing) =>
    manifest(doing, { partner_carrier_id: (await carrierOf(doing)).id, status: 'dispatched' })

  /** The id of an open tender, brought as far as these answers of the carrier lead. */
  async function tender(doing: Doing, ...answers: ('accept' | 'counter')[]): Promise<string> {
    const { id: partner_carrier_id } = await carrierOf(doing)
    const id = await doing.make(`${partnerPortal}/tenders`, {
      manifest_id: await manifest(doing),
      partner_carrier_id,
      rate: 185000,
    })
    for (const answer of answers) {
      const answered = await doing.call(
        'POST',
        `${portal}/tenders/${id}/${answer}`,
        answer === 'counter' ? { rate: 200000 } : {},
      )
      assert.equal(answered.statusCode, 200, answered.body)
    }
    return id
  }

  async function bill(doing: Doing): Promise<string> {
    const { id: partner_carrier_id } = await carrierOf(doing)
    const id = await doing.make('/api/v1/bills', {
      partner_carrier_id,
      currency_id: 'usd',
      items: [{ unit_price: 100 }],
    })
    assert.equal((await doing.call('POST', `/api/v1/bills/${id}/save`)).statusCode, 200)
    return id
  }

  async function question(doing: Doing): Promise<string> {
    const asked = await doing.call('POST', `${portal}/bills/${await bill(doing)}/questions`, { text: 'Why?' })
    return asked.json().question.id
  }

  async function link(doing: Doing): Promise<{ id: string; secret: string }> {
    const made = await doing.call('POST', `${partnerPortal}/links`, { manifest_id: await assigned(doing) })
    const { id, url } = made.json()
    return { id, secret: new URL(url).hash.slice(1) }
  }

  const invoice = (doing: Doing) =>
    doing.make(`${portal}/carrier_invoices`, { invoice_number: newId(), currency_id: 'usd', total_amount: 100 })
  const asPdf = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="pod.pdf"' }
  const pdf = '%PDF-1.4\n%%EOF\n'

  async function stop(doing: Doing): Promise<string> {
    const at = `${portal}/manifests/${await assigned(doing)}`
    return `${at}/stops/${(await doing.call('GET', at)).json().manifest.stops[0].id}`
  }

  const writes: Record<string, [event: string, perform: Performance]> = {
    createPortalInvitation: [
      'user.created',
      async (doing) =>
        doing.call('POST', `${partnerPortal}/invitations`, {
          email: `${newId()}@example.com`,
          name: 'Pat',
          partner_carrier_id: (await carrierOf(doing)).id,
        }),
    ],
    createPortalLink: [
      'portal_link.created',
      async (doing) => doing.call('POST', `${partnerPortal}/links`, { manifest_id: await assigned(doing) }),
    ],
    revokePortalLink: [
      'portal_link.revoked',
      async (doing) => doing.call('DELETE', `${partnerPortal}/links/${(await link(doing)).id}`),
    ],
    createTender: [
      'tender.created',
      async (doing) => {
        const { id: partner_carrier_id } = await carrierOf(doing)
        return doing.call('POST', `${partnerPortal}/tenders`, {
          manifest_id: await manifest(doing),
          partner_carrier_id,
        })
      },
    ],
    cancelTender: [
      'tender.cancelled',
      async (doing) => doing.call('POST', `${partnerPortal}/tenders/${await tender(doing, 'accept')}/cancel`),
    ],
    acceptTenderCounter: [
      'tender.accepted',
      async (doing) => doing.call('POST', `${partnerPortal}/tenders/${await tender(doing, 'counter')}/accept_counter`),
    ],
    answerBillQuestion: [
      'bill_question.answered',
      async (doing) =>
        doing.call('POST', `${partnerPortal}/questions/${await question(doing)}/answer`, { text: 'Because.' }),
    ],
    closeBillQuestion: [
      'bill_question.closed',
      async (doing) => doing.call('POST', `${partnerPortal}/questions/${await question(doing)}/close`),
    ],
    acceptPortalTender: [
      'tender.accepted',
      async (doing) => doing.call('POST', `${portal}/tenders/${await tender(doing)}/accept`),
    ],
    declinePortalTender: [
      'tender.declined',
      async (doing) => doing.call('POST', `${portal}/tenders/${await tender(doing)}/decline`),
    ],
    counterPortalTender: [
      'tender.countered',
      async (doing) => doing.call('POST', `${portal}/tenders/${await tender(doing)}/counter`, { rate: 5 }),
    ],
    arriveAtPortalStop: ['manifest.updated', async (doing) => doing.call('POST', `${await stop(doing)}/arrive`)],
    departFromPortalStop: ['manifest.updated', async (doing) => doing.call('POST', `${await stop(doing)}/depart`)],
    undoPortalStopReport: [
      'manifest.updated',
      async (doing) => {
        const at = await stop(doing)
        await doing.call('POST', `${at}/arrive`)
        await doing.call('POST', `${at}/depart`)
        return doing.call('POST', `${at}/undo`)
      },
    ],
    askAboutPortalBill: [
      'bill_question.created',
      async (doing) => doing.call('POST', `${portal}/bills/${await bill(doing)}/questions`, { text: 'Why?' }),
    ],
    createPortalInvoice: [
      'carrier_invoice.created',
      async (doing) => {
        await carrierOf(doing)
        return doing.call('POST', `${portal}/carrier_invoices`, {
          invoice_number: 'A',
          currency_id: 'usd',
          total_amount: 5,
        })
      },
    ],
    sendPortalDocument: [
      'document.created',
      async (doing) => doing.call('POST', `${portal}/manifests/${await assigned(doing)}/documents`, pdf, asPdf),
    ],
    sendPortalInvoiceDocument: [
      'document.created',
      async (doing) => doing.call('POST', `${portal}/carrier_invoices/${await invoice(doing)}/documents`, pdf, asPdf),
    ],
  }

  const reads: Record<string, Performance> = {
    openPortalLink: async (doing) =>
      doing.call('POST', `${portal}/link_sessions`, { token: (await link(doing)).secret }),
    searchPortalInvitations: async (doing) => {
      await carrierOf(doing)
      return doing.call('GET', `${partnerPortal}/invitations`)
    },
    searchPortalLinks: async (doing) => {
      await link(doing)
      return doing.call('GET', `${partnerPortal}/links`)
    },
    getPortalLink: async (doing) => doing.call('GET', `${partnerPortal}/links/${(await link(doing)).id}`),
    getPortalLinkHistory: async (doing) =>
      doing.call('GET', `${partnerPortal}/links/${(await link(doing)).id}/history`),
    searchTenders: async (doing) => {
      await tender(doing, 'counter')
      return doing.call('GET', `${partnerPortal}/tenders`)
    },
    getTender: async (doing) => doing.call('GET', `${partnerPortal}/tenders/${await tender(doing, 'accept')}`),
    getTenderHistory: async (doing) => doing.call('GET', `${partnerPortal}/tenders/${await tender(doing)}/history`),
    searchBillQuestions: async (doing) => {
      await question(doing)
      return doing.call('GET', `${partnerPortal}/questions`)
    },
    getBillQuestion: async (doing) => doing.call('GET', `${partnerPortal}/questions/${await question(doing)}`),
    getBillQuestionHistory: async (doing) =>
      doing.call('GET', `${partnerPortal}/questions/${await question(doing)}/history`),
    getPortalMe: (doing) => doing.call('GET', `${portal}/me`),
    searchPortalManifests: async (doing) => {
      await assigned(doing)
      return doing.call('GET', `${portal}/manifests`)
    },
    getPortalManifest: async (doing) => doing.call('GET', `${portal}/manifests/${await assigned(doing)}`),
    searchPortalDocuments: async (doing) => {
      const at = `${portal}/manifests/${await assigned(doing)}/documents`
      await doing.call('POST', at, pdf, asPdf)
      return doing.call('GET', at)
    },
    getPortalDocumentContent: async (doing) => {
      const sent = await doing.call('POST', `${portal}/manifests/${await assigned(doing)}/documents`, pdf, asPdf)
      return doing.call('GET', `${portal}/documents/${sent.json().document.id}/content`)
    },
    searchPortalTenders: async (doing) => {
      await tender(doing)
      return doing.call('GET', `${portal}/tenders`)
    },
    getPortalTender: async (doing) => doing.call('GET', `${portal}/tenders/${await tender(doing)}`),
    searchPortalBills: async (doing) => {
      await bill(doing)
      return doing.call('GET', `${portal}/bills`)
    },
    getPortalBill: async (doing) => doing.call('GET', `${portal}/bills/${await bill(doing)}`),
    getPortalQuestions: async (doing) => {
      const at = `${portal}/bills/${await bill(doing)}/questions`
      await doing.call('POST', at, { text: 'Why?' })
      return doing.call('GET', at)
    },
    searchPortalInvoices: async (doing) => {
      await invoice(doing)
      return doing.call('GET', `${portal}/carrier_invoices`)
    },
    getPortalInvoice: async (doing) => doing.call('GET', `${portal}/carrier_invoices/${await invoice(doing)}`),
  }

  /** The token with which a path is called: that of a carrier in its portal. */
  const tokenFor = async (org: string, url: string, usual: string) =>
    url.startsWith(`${portal}/`) ? (await carrierOf({ org })).token : usual

  return { writes, reads, tokenFor }
}
