/** A mail server that keeps what arrives, and behaves as the address of the recipient says. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export type ReceivedMail = { from: string; to: string[]; message: Buffer }

export type MailServer = {
  url: string
  received: ReceivedMail[]
  /** What it does from now on with mails to addresses that begin so: without one it takes them. */
  behave(localPart: string, behaviour: Behaviour): void
  /** Called with each message as it arrives, before it is taken. */
  onMessage(look: (mail: ReceivedMail) => void): void
  close(): Promise<void>
}

export type Behaviour =
  | 'accept'
  | 'refuse for now'
  | 'refuse for good'
  | 'refuse the message for good'
  | 'hang'
  | 'close in the middle'
  | 'take and close'

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** On a port that the system chooses, or on this one. */
export async function openMailServer(givenPort = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const chosen = new Map<string, Behaviour>()
  const sockets = new Set<Socket>()
  let look: (mail: ReceivedMail) => void = () => {}
  const behaviourOf = (address: string) => chosen.get(address.split('@')[0] ?? '') ?? 'accept'
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const behaviour = behaviourOf(address)
      if (behaviour === 'refuse for now') return done(refusal(450, '4.2.1 Try again later'))
      if (behaviour === 'refuse for good') return done(refusal(550, '5.1.1 No such user'))
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const mail = { from: fromOf(session), to, message: Buffer.concat(chunks) }
        const behaviours = to.map(behaviourOf)
        look(mail)
        if (behaviours.includes('hang')) return
        if (behaviours.includes('close in the middle')) return close(session)
        if (behaviours.includes('refuse the message for good')) return done(refusal(554, '5.6.0 Not wanted'))
        received.push(mail)
        if (behaviours.includes('take and close')) return close(session)
        done()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(givenPort, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo

  function close({ remotePort }: { remotePort: number }): void {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy()
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    behave: (localPart, behaviour) => void chosen.set(localPart, behaviour),
    onMessage: (given) => {
      look = given
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function fromOf({ envelope: { mailFrom } }: SMTPServerSession): string {
  return mailFrom ? mailFrom.address : ''
}
