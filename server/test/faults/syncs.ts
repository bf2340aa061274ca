import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { newDataDir, usedDataDir } from '../process/lading.ts'
import { startQuickbooks } from '../quickbooks.ts'
import { type Client, clientOf, findingsOf, kill, newToken, startReady, within } from './application.ts'
import { inPlace, type Result, seconds } from './place.ts'

const company = '9130999'
const sends = /^POST \/v3\/company\/\d+\/bill$/
const kills = 2
const goOnWithinMs = 30_000
const patienceMs = 90_000

/** kill -9 of the server while a bill is sent to an accounting system, which does what it was asked though nobody hears of it: each is there once. */
export function syncs(): Promise<Result> {
  return inPlace(async (t) => {
    const quickbooks = await startQuickbooks()
    t.after(() => quickbooks.close())
    const [dataDir, port] = [newDataDir(t, await usedDataDir(t)), await freePort()]
    const base = `http://127.0.0.1:${port}`
    const application = {
      QUICKBOOKS_URL: quickbooks.origin,
      QUICKBOOKS_CLIENT_ID: 'client',
      QUICKBOOKS_CLIENT_SECRET: 'secret',
    }
    const env = { PORT: String(port), RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0', ...application }
    let server = await startReady(t, dataDir, env)
    const client = clientOf(base, await newToken(t, embeddedAddress(dataDir), base))
    const { connection, bills } = await connectedBooks(client)
    const faults: string[] = []
    const sent = () => quickbooks.asked.filter(({ method, path }) => sends.test(`${method} ${path}`)).length
    const there = () => quickbooks.company(company).Bill

    quickbooks.fail(company, sends, 'hold')
    const { sync } = await client('POST', `/connectors_orgs/${connection}/syncs`, { what: ['bills'], ids: bills })
    let longest = 0
    for (let killed = 0; killed < kills; killed++) {
      const asked = sent()
      if (killed === 0 && !(await within(patienceMs, () => sent() > 0))) faults.push('No bill was sent.')
      kill(server.pid)
      await server.ended
      quickbooks.release(company)
      await within(10_000, () => there().length > killed)
      if (killed + 1 < kills) quickbooks.fail(company, sends, 'hold')
      server = await startReady(t, dataDir, env)
      const ready = performance.now()
      if (!(await within(patienceMs, () => sent() > Math.max(asked, 1))))
        faults.push('The sync did not go on after the server was killed.')
      longest = Math.max(longest, performance.now() - ready)
    }
    const read = async () => (await client('GET', `/connectors_orgs/${connection}/syncs/${sync.id}`)).sync
    if (!(await within(patienceMs, async () => (await read()).state === 'done')))
      faults.push(`The sync is ${JSON.stringify(await read())}.`)
    const { results } = await client('GET', `/connectors_orgs/${connection}/syncs/${sync.id}/results?limit=50`)
    const known = results.map(({ remote_id }: { remote_id: string }) => remote_id).sort()
    const made = there().map(({ Id }) => Id)
    if (made.length !== bills.length)
      faults.push(`Of ${bills.length} bills ${made.length} are in the accounting system.`)
    if (JSON.stringify(known) !== JSON.stringify(made.sort()))
      faults.push('The results do not name what is in the accounting system.')
    if (longest > goOnWithinMs) faults.push(`It took ${seconds(longest)} until the sync of a killed process went on.`)
    for (const [what, message] of Object.entries(await findingsOf({ DATA_DIR: dataDir })))
      faults.push(`The doctor finds fault with ${what}: ${message}`)
    const figures = {
      acknowledged: bills.length,
      kills,
      'requests to make a bill': sent(),
      'longest from a start until it went on': seconds(longest),
    }
    return { name: 'syncs', figures, faults }
  })
}

async function connectedBooks(client: Client): Promise<{ connection: string; bills: string[] }> {
  const { bill_item_type: type } = await client('POST', '/bill_item_types', { name: 'Line haul' })
  const { partner_carrier: carrier } = await client('POST', '/partner_carriers', {
    name: 'Cascade Carriers',
    currency_id: 'usd',
  })
  const { connector_org } = await client('POST', '/connectors_orgs', {
    connector_id: 'quickbooks_online',
    settings: { tax_account: '8' },
  })
  const { state } = await client('POST', `/connectors_orgs/${connector_org.id}/authorize`)
  await client('POST', `/connectors_orgs/${connector_org.id}/connect`, {
    authorization_code: `code-${company}`,
    state,
    realm_id: company,
  })
  const mappings = [
    { kind: 'bill_items', record_id: type.id, remote_id: '7' },
    { kind: 'partner_carriers', record_id: carrier.id, remote_id: '56' },
  ]
  await client('POST', `/connectors_orgs/${connector_org.id}/mappings`, { mappings })
  const bills: string[] = []
  for (let n = 0; n < kills + 2; n++) {
    const items = [{ bill_item_type_id: type.id, unit_price: 50_000, quantity: 1 }]
    const { bill } = await client('POST', '/bills', {
      currency_id: 'usd',
      partner_carrier_id: carrier.id,
      reference_number: `R-${n}`,
      items,
    })
    await client('POST', `/bills/${bill.id}/save`)
    bills.push(bill.id)
  }
  return { connection: connector_org.id, bills }
}
