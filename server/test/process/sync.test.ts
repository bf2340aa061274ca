import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/values/ids.ts'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { deepOnly } from '../depth.ts'
import { startQuickbooks } from '../quickbooks.ts'
import { call, databaseOf, demoTokens, newDataDir, startLading, until, usedDataDir } from './lading.ts'

const company = '9130999'
const sends = /^POST \/v3\/company\/\d+\/bill$/

type Json = Record<string, unknown>

test(
  'kill -9 while a bill or its payment is sent, again and again: the accounting system has each once, and the sync knows the id of each there',
  deepOnly,
  async (t) => {
    const quickbooks = await startQuickbooks()
    t.after(() => quickbooks.close())
    const env = {
      QUICKBOOKS_URL: quickbooks.origin,
      QUICKBOOKS_CLIENT_ID: 'client',
      QUICKBOOKS_CLIENT_SECRET: 'secret',
    }
    let running = startLading(t, newDataDir(t, await usedDataDir(t)), env)
    const { dataDir } = running
    let url = await running.ready()
    const token = (await demoTokens(t, dataDir))('test')
    const ask = async (method: string, path: string, body?: Json): Promise<Json> => {
      const { status, body: text } = await call(`${url}/api/v1/${path}`, { method, token, ...(body && { body }) })
      assert.ok(status < 300, `${method} ${path}: ${text}`)
      return JSON.parse(text)
    }
    const make = async (path: string, body: Json) =>
      (Object.values(await ask('POST', path, body))[0] as { id: string }).id

    const type = await make('bill_item_types', { name: `Haul ${newId()}` })
    const carrier = await make('partner_carriers', { name: 'Cascade Carriers', currency_id: 'usd' })
    const { connectors_orgs } = (await ask('GET', 'connectors_orgs')) as {
      connectors_orgs: { id: string; connector_id: string }[]
    }
    const connection = connectors_orgs.find(({ connector_id }) => connector_id === 'quickbooks_online')?.id
    const { state } = await ask('POST', `connectors_orgs/${connection}/authorize`)
    await ask('POST', `connectors_orgs/${connection}/connect`, {
      authorization_code: `code-${company}`,
      state,
      realm_id: company,
    })
    const mappings = [
      { kind: 'bill_items', record_id: type, remote_id: '7' },
      { kind: 'partner_carriers', record_id: carrier, remote_id: '56' },
    ]
    await ask('POST', `connectors_orgs/${connection}/mappings`, { mappings })
    const kills = 6
    const bills: string[] = []
    while (bills.length < kills + 2) {
      const items = [{ bill_item_type_id: type, unit_price: 50_000, quantity: 1 }]
      const bill = await make('bills', {
        currency_id: 'usd',
        partner_carrier_id: carrier,
        reference_number: `R-${newId().slice(-8)}`,
        items,
      })
      await ask('POST', `bills/${bill}/save`)
      bills.push(bill)
    }

    quickbooks.fail(company, sends, 'hold')
    const sync = await make(`connectors_orgs/${connection}/syncs`, { what: ['bills'], ids: bills })
    const sent = () => quickbooks.asked.filter(({ method, path }) => sends.test(`${method} ${path}`)).length
    for (let killed = 0; killed < kills; killed++) {
      await until(() => sent() > killed, 'a bill is being sent', running.said)
      running.kill('SIGKILL')
      await running.ended
      // The other side does what it was asked, and nobody hears of it.
      quickbooks.release(company)
      await until(() => quickbooks.company(company).Bill.length > killed, 'it is there')
      if (killed + 1 < kills) quickbooks.fail(company, sends, 'hold')
      running = startLading(t, dataDir, env)
      url = await running.ready()
      // As if the minutes had passed for which whoever sends may take.
      await databaseOf(t, embeddedAddress(dataDir)).run(
        sql`update connector_syncs set leased_until = null where state = 'running'`,
      )
    }

    await until(
      async () => ((await ask('GET', `connectors_orgs/${connection}/syncs/${sync}`)).sync as Json).state === 'done',
      'the sync is done',
      running.said,
    )
    const { results } = (await ask('GET', `connectors_orgs/${connection}/syncs/${sync}/results?limit=50`)) as {
      results: Json[]
    }
    assert.deepEqual(results.map(({ record_id }) => record_id).sort(), bills.sort())
    assert.deepEqual(
      results.map(({ remote_id }) => remote_id).sort(),
      quickbooks
        .company(company)
        .Bill.map(({ Id }) => Id)
        .sort(),
    )

    await ask('PUT', `connectors_orgs/${connection}`, { settings: { payment_account: '35' } })
    await ask('POST', `bills/${bills[0]}/pay`)
    quickbooks.fail(company, /\/billpayment/, 'hold')
    const paying = await make(`connectors_orgs/${connection}/syncs`, { ids: [bills[0]] })
    await until(
      () => quickbooks.asked.some(({ path }) => path.endsWith('/billpayment')),
      'the payment is being sent',
      running.said,
    )
    running.kill('SIGKILL')
    await running.ended
    quickbooks.release(company)
    await until(() => quickbooks.company(company).BillPayment.length > 0, 'it is there')
    running = startLading(t, dataDir, env)
    url = await running.ready()
    await databaseOf(t, embeddedAddress(dataDir)).run(
      sql`update connector_syncs set leased_until = null where state = 'running'`,
    )
    await until(
      async () => ((await ask('GET', `connectors_orgs/${connection}/syncs/${paying}`)).sync as Json).state === 'done',
      'the payment is sent',
      running.said,
    )
    const [payment] = quickbooks.company(company).BillPayment
    const { results: paid } = (await ask('GET', `connectors_orgs/${connection}/syncs/${paying}/results`)) as {
      results: Json[]
    }
    assert.deepEqual(
      [
        quickbooks.company(company).BillPayment.length,
        paid.find(({ record_type }) => record_type === 'payment')?.remote_id,
      ],
      [1, `BillPayment:${payment?.Id}`],
    )
  },
)
