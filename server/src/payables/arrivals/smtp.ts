import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { Refusal } from '../../platform/core/refusal.ts'
import { StartError } from '../../platform/core/start-error.ts'
import type { Database } from '../../platform/db/database.ts'
import { mostBytes } from '../../platform/files/contents/receive.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import type { FileStore } from './files.ts'
import { type InboxNames, organizationOfInbox } from './inboxes.ts'
import { receiveMail } from './mail.ts'

export type ListeningAddress = { host: string; port: number }

export type MailListenerParts = {
  database: Database
  keeping: FileStore
  names: InboxNames
  listen: ListeningAddress
  /** Where mails of ours come back to, and who takes what comes back. */
  returns?: { address: string; take(bytes: Buffer): Promise<void> }
  closeTimeoutMs: number
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void }
}

/** Each mail may be in memory as a whole while it arrives. */
const mostConnections = 10
const mostRecipients = 10
/** How long a connection may be silent, and how long it may last. */
const silentMs = 60_000
const longestMs = 10 * 60_000

/**
 * Takes mail for the inboxes of organizations, `<id or name>@` any host, reports of mails that came back, and nothing else: it sends none on. A mail is
 * acknowledged when its transaction is committed; a sender that gets no answer sends it again, and then it is there already.
 */
export async function listenForMail({
  database,
  keeping,
  names,
  listen,
  returns,
  closeTimeoutMs,
  log,
}: MailListenerParts) {
  const server = new SMTPServer({
    banner: 'Lading',
    authOptional: true,
    // There is nobody to sign in, and no certificate; a mail server in front of this one has both.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: mostBytes,
    maxClients: mostConnections,
    socketTimeout: silentMs,
    closeTimeout: closeTimeoutMs,
    onRcptTo({ address }, { envelope }, done) {
      if (envelope.rcptTo.length >= mostRecipients) return done(answer(452, '4.5.3 Too many recipients'))
      if (isReturn(address)) return done()
      inboxOf(address).then(
        (org) => done(org ? undefined : answer(550, '5.1.1 There is no such inbox here')),
        (error) => done(refused(error)),
      )
    },
    onData(stream, session, done) {
      receive(stream, session).then(
        () => done(),
        (error) => done(refused(error)),
      )
    },
  })

  function isReturn(address: string): boolean {
    return returns?.address.toLowerCase() === address.toLowerCase()
  }

  function inboxOf(address: string): Promise<string | null> {
    // What is behind a plus is the sender's own: invoices+cascade@…
    const [name = ''] = address.slice(0, address.lastIndexOf('@')).split('+')
    return organizationOfInbox(database, names, name)
  }

  async function receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const bytes = await wholeOf(stream)
    const organizations = new Set<string>()
    for (const { address } of envelope.rcptTo) {
      if (isReturn(address)) {
        await returns?.take(bytes)
        continue
      }
      const org = await inboxOf(address)
      if (org) organizations.add(org)
    }
    for (const org of organizations) {
      const { ids, isNew } = await receiveMail(systemContext(database, org), keeping, bytes)
      log.info({ org, carrier_invoices: ids, is_new: isNew }, 'a mail became carrier invoices')
    }
  }

  function refused(error: unknown) {
    if (error instanceof Refusal && error.kind === 'too_large') return answer(552, `5.3.4 ${error.message}`)
    if (error instanceof Refusal && error.kind !== 'unavailable') return answer(554, `5.6.0 ${error.message}`)
    log.error({ err: error }, 'a mail could not be taken; its sender will try again')
    return answer(451, '4.3.0 The mail cannot be taken at this moment')
  }

  // Without a listener an error of one connection would end the process.
  server.on('error', () => {})
  server.server.on('connection', endLater)
  server.listen(listen.port, listen.host)
  await once(server.server, 'listening').catch((error) => {
    throw new StartError(
      `SMTP_LISTEN=${listen.host}:${listen.port} cannot be used (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).`,
    )
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Also one that never falls silent ends. */
function endLater(socket: Socket): void {
  const end = setTimeout(() => socket.destroy(), longestMs).unref()
  socket.once('close', () => clearTimeout(end))
}

/** What is too large is read to its end, so that the answer can be sent, and not kept. */
async function wholeOf(stream: SMTPServerDataStream): Promise<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) chunks = []
    else chunks.push(chunk)
  }
  if (size > mostBytes || stream.sizeExceeded)
    throw new Refusal('too_large', 'body_too_large', `A mail may have at most ${mostBytes} bytes`)
  return Buffer.concat(chunks)
}

function answer(responseCode: number, message: string): Error & { responseCode: number } {
  return Object.assign(new Error(message), { responseCode })
}
