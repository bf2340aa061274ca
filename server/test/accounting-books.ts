/** Organizations that are connected with companies of their own in local accounting systems, everything mapped. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { workAll } from '../src/integrations/accounting/syncs/working.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { uploadFolder } from '../src/platform/files/contents/folders.ts'
import { openStorage } from '../src/platform/files/storage/open.ts'
import { openVault } from '../src/platform/vault/vault.ts'
import { type Quickbooks, startQuickbooks } from './quickbooks.ts'
import { applicationIn, databaseOf, newCaller, openService } from './service.ts'
import { startXero, type Xero } from './xero.ts'

const path = '/api/v1/connectors_orgs'

export type Json = Record<string, unknown>
type Run = {
  id: string
  connection_id: string
  state: string
  reason: string | null
  waits_until: string | null
  counts: Record<string, number>
}

let counter = 9_130_000_000
export const newCompany = () => String(++counter)
const contacts = { vendor: 'bd2270c3-8706-4c11-9cfb-000b551c3f51', customer: 'bd2270c3-8706-4c11-9cfb-000b551c3f52' }

export const systems = {
  quickbooks_online: {
    mapped: { partner_carriers: '56', customers: '21', bill_items: '7', invoice_items: '3', tax_rates: 'TAX' },
    settings: { tax_account: '8' },
    secrets: {},
    bank: '35',
  },
  xero: {
    mapped: {
      partner_carriers: contacts.vendor,
      customers: contacts.customer,
      bill_items: '310',
      invoice_items: '200',
      tax_rates: 'INPUT2',
    },
    settings: { client_id: 'client', tax_account: '310' },
    secrets: { client_secret: 'secret' },
    bank: 'a3',
  },
} as const
export type System = keyof typeof systems

/** A request that makes or changes a bill. */
export const isBill = /^POST \/(?:v3\/company\/\d+\/bill(?!payment)|api\.xro\/2\.0\/Invoices)/

export async function accountingBooks() {
  const quickbooks: Quickbooks = await startQuickbooks()
  const xero: Xero = await startXero()
  const service = await openService({
    QUICKBOOKS_URL: quickbooks.origin,
    QUICKBOOKS_CLIENT_ID: 'client',
    QUICKBOOKS_CLIENT_SECRET: 'secret',
    XERO_URL: xero.origin,
  })
  after(() => Promise.all([quickbooks.close(), xero.close()]))
  const { settings } = service

  /** An organization that is connected with a company of its own in the accounting system, everything mapped. */
  async function books(system: System) {
    const { mapped, settings: set, secrets } = systems[system]
    const server = system === 'xero' ? xero : quickbooks
    const company = newCompany()
    const { org } = await newCaller(service)
    const caller = applicationIn(service, org)
    const make = async (at: string, body: Json): Promise<string> => {
      const answer = await caller.call('POST', `/api/v1/${at}`, body)
      assert.equal(answer.statusCode, 201, answer.body)
      return (Object.values(answer.json())[0] as { id: string }).id
    }
    const haul = await make('bill_item_types', { name: 'Line haul' })
    const rate = await make('tax_rates', { name: 'State tax', percent: '15' })
    const carrier = await make('partner_carriers', { name: 'Cascade Carriers', currency_id: 'usd' })
    const customer = await make('customers', { name: 'Acme Foods', currency_id: 'usd' })
    const id = await make('connectors_orgs', { connector_id: system, settings: set, secrets })
    const at = `${path}/${id}`
    const signIn = async () => {
      const begun = await caller.call('POST', `${at}/authorize`)
      assert.equal(begun.statusCode, 200, begun.body)
      const { url, state } = begun.json()
      assert.equal(new URL(url).searchParams.get('state'), state)
      return caller.call('POST', `${at}/connect`, { authorization_code: `code-${company}`, state, realm_id: company })
    }
    const signedIn = await signIn()
    assert.deepEqual([signedIn.statusCode, signedIn.json().connector_org?.status], [200, 'connected'], signedIn.body)
    const records = {
      partner_carriers: carrier,
      customers: customer,
      bill_items: haul,
      invoice_items: haul,
      tax_rates: rate,
    }
    const mappings = Object.entries(records).map(([kind, record_id]) => ({
      kind,
      record_id,
      remote_id: mapped[kind as keyof typeof mapped],
    }))
    assert.equal((await caller.call('POST', `${at}/mappings`, { mappings })).statusCode, 200)
    const document = async (of: 'bills' | 'invoices', more: Json): Promise<string> => {
      const made = await make(of, {
        currency_id: 'usd',
        items: [{ bill_item_type_id: haul, unit_price: 50000, quantity: 2, description: 'Freight' }],
        ...more,
      })
      assert.equal((await caller.call('POST', `/api/v1/${of}/${made}/save`)).statusCode, 200)
      return made
    }
    const bill = (more: Json = {}) =>
      document('bills', {
        partner_carrier_id: carrier,
        bill_date: '2026-11-10',
        due_date: '2026-12-10',
        reference_number: `R-${newId().slice(-8)}`,
        ...more,
      })
    const invoice = (more: Json = {}) =>
      document('invoices', { customer_id: customer, invoice_date: '2026-11-11', due_date: '2026-12-11', ...more })
    let ahead = 0
    const parts = {
      ...{
        database: databaseOf(service, new Set([org])),
        vault: openVault(settings),
        services: settings.connectors,
        publicUrl: settings.publicUrl,
      },
      ...{ keeping: { storage: openStorage(settings), folder: uploadFolder(settings) }, aheadMs: () => ahead },
    }
    const start = async (body: Json = {}): Promise<string> => {
      const started = await caller.call('POST', `${at}/syncs`, body)
      assert.equal(started.statusCode, 202, started.body)
      return started.json().sync.id
    }
    const read = async (run: string): Promise<Run> => (await caller.get(`${at}/syncs/${run}`)).json().sync
    const sync = async (body: Json = {}): Promise<Run> => {
      const run = await start(body)
      await workAll(parts)
      return read(run)
    }
    const results = async (run: string) =>
      (await caller.get(`${at}/syncs/${run}/results?limit=200`)).json().results as Json[]
    const retry = async (run: string): Promise<Run> => {
      const retried = await caller.call('POST', `${at}/syncs/${run}/retry`)
      assert.equal(retried.statusCode, 202, retried.body)
      await workAll(parts)
      return read(retried.json().sync.id)
    }
    const read1 = async (kind: 'bill' | 'invoice', one: string) =>
      (await caller.get(`/api/v1/${kind}s/${one}`)).json()[kind]
    return {
      ...{
        ...caller,
        server,
        company,
        at,
        haul,
        rate,
        carrier,
        customer,
        bill,
        invoice,
        start,
        sync,
        results,
        retry,
        read,
        work: () => workAll(parts),
        signIn,
      },
      readDocument: read1,
      /** Turns the clock of the background work on. */
      later: (ms: number) => {
        ahead += ms
      },
      connection: async () => (await caller.get(at)).json().connector_org,
      /** What the other side has of bills and invoices. */
      there: (): Json[] =>
        system === 'xero'
          ? xero.tenant(company).Invoices
          : [...quickbooks.company(company).Bill, ...quickbooks.company(company).Invoice],
      writes: () =>
        server.asked.filter(
          ({ method, company: of, path }) =>
            method === 'POST' && of === company && /\/(?:bill|invoice|Invoices)\b/.test(path),
        ),
    }
  }

  return { books, quickbooks, xero, service }
}
