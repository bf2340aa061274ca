import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '../../settings.ts'
import { writeWholeFile } from '../core/turns/whole-files.ts'

export type OutgoingMessage = { id: string; from: string; to: readonly string[]; message: Buffer }

/** What became of a message for each of its addresses. `later` are those that were refused for now. */
export type HandoverResult = {
  accepted: readonly string[]
  refused: readonly { address: string; error: string }[]
  later: readonly { address: string; error: string }[]
}

export type Transport = {
  /** Where it was left: with a mail server, or in a directory where there is none. */
  readonly leaves: 'sent' | 'kept'
  /** Throws where nothing is known of any address: the server refused the sender or the message for now; `Unreachable`, where it did not come to that. */
  send(outgoing: OutgoingMessage): Promise<HandoverResult>
  /** Throws `Unreachable` where no mail could be handed over now, whatever it is. */
  reach(): Promise<void>
  close(): void
}

/** It is no fault of the mail: the server is away or lets nobody in, or the directory cannot be written. */
export class UnreachableServer extends Error {}

export type Times = { connectMs?: number; idleMs?: number }

/** The mail server of the settings; without one, the directory `mail` of DATA_DIR. */
export function openTransport({ smtpUrl, directory }: Settings['mail'], times?: Times): Transport {
  return smtpUrl === null ? directoryTransport(directory) : smtpTransport(smtpUrl, times)
}

function directoryTransport(directory: string): Transport {
  return {
    leaves: 'kept',
    async send({ id, to, message }) {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 })
        writeWholeFile(join(directory, `${id}.eml`), message, 0o600)
      } catch (error) {
        throw new UnreachableServer((error as Error).message)
      }
      return { accepted: to, refused: [], later: [] }
    },
    async reach() {
      // It is not made here: who only asks may be another user than the one that writes.
      try {
        accessSync(`${firstThere(directory)}/.`, constants.W_OK)
      } catch (error) {
        throw new UnreachableServer((error as Error).message)
      }
    },
    close() {},
  }
}

/** The directory, or the one above it in which it will be made: without a database in it, DATA_DIR may not be there yet. */
function firstThere(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : firstThere(dirname(directory))
}

type Failure = Error & {
  code?: string
  responseCode?: number
  response?: string
  recipient?: string
  rejectedErrors?: Failure[]
}

function smtpTransport(url: string, { connectMs = 30_000, idleMs = 60_000 }: Times = {}): Transport {
  // One connection for each mail: a pool of them would send what a broken connection left unclear once more by itself, and nobody would know.
  const timeouts = {
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: idleMs,
  }
  // Loaded with the first mail: it takes a few megabytes.
  const open = async () =>
    (await import('nodemailer')).createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  let opened: ReturnType<typeof open> | undefined
  return {
    leaves: 'sent',
    async send({ from, to, message }) {
      opened ??= open()
      const transport = await opened
      try {
        const { rejectedErrors = [] } = (await transport.sendMail({
          envelope: { from, to: [...to] },
          raw: message,
        })) as { rejectedErrors?: Failure[] }
        return sorted(to, rejectedErrors)
      } catch (error) {
        const failure = error as Failure
        if (failure.rejectedErrors) return sorted(to, failure.rejectedErrors, false)
        if (!isOfTheMail(failure)) throw new UnreachableServer(said(failure))
        if (!isForGood(failure)) throw new Error(said(failure))
        return { accepted: [], refused: to.map((address) => ({ address, error: said(failure) })), later: [] }
      }
    },
    async reach() {
      opened ??= open()
      await (await opened).verify().catch((error: Failure) => {
        throw new UnreachableServer(said(error))
      })
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

function sorted(to: readonly string[], failures: readonly Failure[], othersAccepted = true): HandoverResult {
  const failed = new Map(failures.map((failure) => [failure.recipient, failure]))
  const refused = to.flatMap((address) => {
    const failure = failed.get(address)
    return failure && isForGood(failure) ? [{ address, error: said(failure) }] : []
  })
  const later = to.flatMap((address) => {
    const failure = failed.get(address)
    if (failure) return isForGood(failure) ? [] : [{ address, error: said(failure) }]
    return othersAccepted ? [] : [{ address, error: 'The mail server took it for nobody.' }]
  })
  return { accepted: othersAccepted ? to.filter((address) => !failed.has(address)) : [], refused, later }
}

/** By RFC 5321 a reply of 500 or more is final. A refused sign-in is no fault of the mail: the operator can correct it. */
function isForGood(failure: Failure): boolean {
  return (failure.responseCode ?? 0) >= 500 && isOfTheMail(failure)
}

/** What the server said to the sender, the recipients or the message. */
function isOfTheMail({ code, responseCode }: Failure): boolean {
  return responseCode !== undefined && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/** What the server said, or why there was no answer. An error of the sign-in may repeat what was sent, so it is not repeated. */
function said({ code, response, message }: Failure): string {
  if (code === 'EAUTH') return 'The mail server refused the user name or the password in SMTP_URL.'
  const words =
    response ??
    ({ ETIMEDOUT: 'The mail server did not answer in time.', ECONNECTION: 'The connection to the mail server broke.' }[
      code ?? ''
    ] ||
      message)
  return words.replace(/\s+/g, ' ').slice(0, 500)
}
