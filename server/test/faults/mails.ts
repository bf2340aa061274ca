import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { call, newDataDir, usedDataDir } from '../process/lading.ts'
import { openMailServer } from '../smtp.ts'
import { type Client, clientOf, findingsOf, kill, newToken, startReady, within } from './application.ts'
import { inPlace, type Result, seconds } from './place.ts'

const each = 10
const kills = 1
/** What is promised, and what a crowded machine needs besides. */
const goOnWithinMs = 30_000
const patienceMs = 90_000

/** A mail server that is away and comes back, and kill -9 of the server while mails are handed over: each arrives at least once, none is lost. */
export function mails(): Promise<Result> {
  return inPlace(async (t) => {
    const [dataDir, port, mailPort] = [newDataDir(t, await usedDataDir(t)), await freePort(), await freePort()]
    const base = `http://127.0.0.1:${port}`
    const limits = { RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0' }
    const env = {
      PORT: String(port),
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: 'no-reply@lading.example',
      ...limits,
    }
    let server = await startReady(t, dataDir, env)
    const client = clientOf(base, await newToken(t, embeddedAddress(dataDir), base))
    const bill = await newBill(client)
    const faults: string[] = []
    const wanted: string[] = []
    const send = async (to: string) =>
      void wanted.push((await client('POST', `/bills/${bill}/send`, { to: [to] })).mail_id)

    // Nobody listens there yet.
    for (let n = 0; n < each; n++) await send(`away-${n}@acme.example`)
    const isNoticed = async () => {
      const found = await findingsOf({ DATA_DIR: dataDir, SMTP_URL: env.SMTP_URL, MAIL_FROM: env.MAIL_FROM })
      return /ECONNREFUSED/.test(found.mails ?? '') && /send mails/.test(found['background work'] ?? '')
    }
    if (!(await within(patienceMs, isNoticed))) faults.push('The doctor does not say that the mail server is away.')
    if (!/^lading_mail_server_reachable 0$/m.test((await call(`${base}/metrics`)).body))
      faults.push('The metrics do not say that the mail server is away.')
    const mailServer = await openMailServer(mailPort)
    t.after(mailServer.close)
    const arrived = () =>
      new Set(mailServer.received.map(({ message }) => /^Message-ID: <([^@]+)@/im.exec(message.toString())?.[1]))
    const missing = () => wanted.filter((id) => !arrived().has(id))
    const back = performance.now()
    if (!(await within(patienceMs, () => missing().length === 0)))
      faults.push(`${missing().length} mails did not arrive after the mail server was back.`)
    const afterAway = performance.now() - back

    let longest = 0
    for (let round = 0; round < kills; round++) {
      let isHeld = false
      mailServer.behave(`held-${round}`, 'hang')
      mailServer.onMessage(({ to }) => {
        isHeld ||= to[0]?.startsWith(`held-${round}@`) ?? false
      })
      await send(`held-${round}@acme.example`)
      for (let n = 0; n < each; n++) await send(`round-${round}-${n}@acme.example`)
      if (!(await within(patienceMs, () => isHeld))) faults.push('The mail server was not asked to take a mail.')
      kill(server.pid)
      await server.ended
      mailServer.behave(`held-${round}`, 'accept')
      server = await startReady(t, dataDir, env)
      const ready = performance.now()
      if (!(await within(patienceMs, () => missing().length === 0)))
        faults.push(`${missing().length} mails did not arrive after the server was killed.`)
      longest = Math.max(longest, performance.now() - ready)
    }
    if (longest > goOnWithinMs)
      faults.push(`It took ${seconds(longest)} until what a killed process had held was sent.`)
    await within(patienceMs, async () => (await client('GET', '/mails?status_ids=queued&limit=1')).mails.length === 0)
    for (const [what, message] of Object.entries(
      await findingsOf({ DATA_DIR: dataDir, SMTP_URL: env.SMTP_URL, MAIL_FROM: env.MAIL_FROM }),
    ))
      faults.push(`The doctor finds fault with ${what}: ${message}`)
    const figures = {
      acknowledged: wanted.length,
      'arrived twice': mailServer.received.length - arrived().size,
      'until all had arrived once the mail server was back': seconds(afterAway),
      'longest from a start until what was held had arrived': seconds(longest),
    }
    return { name: 'mails', figures, faults }
  })
}

async function newBill(client: Client): Promise<string> {
  const { bill_item_type } = await client('POST', '/bill_item_types', { name: 'Line haul' })
  const items = [{ bill_item_type_id: bill_item_type.id, unit_price: 50_000, quantity: 1 }]
  const { bill } = await client('POST', '/bills', { currency_id: 'usd', items })
  await client('POST', `/bills/${bill.id}/save`)
  return bill.id
}
