import type { Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { giveUp, type HostClient, type hostsOf } from './hosts.ts'

type Hosts = ReturnType<typeof hostsOf>

export type Patience = {
  /** A connection to which an answer is due may be quiet for so long before its server is asked whether it is there. */
  quietMs: number
  /** So long the server has to answer that. */
  answerMs: number
  /**
   * So long a statement on a connection of the pool may take at most, or null where it may take any time. Longer than PostgreSQL's own limit, which ends
   * statements in good order.
   */
  deadlineMs: number | null
}

/** What is known of a connection: what has come through it, what had been sent by then, and for how many looks nothing has come. */
type Seen = { received: number; sent: number; quietLooks: number; askAt: number }

/** So long it is remembered that nothing had come, from the database or on a connection that was lost: who waited meanwhile may be refused only after something comes from it again, or after another host does. */
const rememberedMs = 5_000

/** A server may rightly be waiting for the rest of what is longer than this. */
const shortBytes = 65_536

type Parts = {
  hosts: Hosts
  options: ClientConfig
  patience: Patience
  /** A host has vanished: it answers neither on its connections nor to a new one. */
  onSilent(error: Error): void
}

/**
 * Gives up connections on which nothing comes any more and nobody says so: a host that vanished, a cable that was pulled, a firewall that forgot.
 * Slow is not silent: while a statement runs the server is asked through a new connection, and only where that has no answer either, or says that the
 * server is itself waiting for us, is a connection given up. Looks are counted, not time: a process that was busy or suspended has missed nothing.
 */
export function watchSilence({ hosts, options, patience, onSilent }: Parts): { quietMs(): number; stop(): void } {
  const lookMs = Math.min(500, patience.quietMs / 4)
  const quietLooks = Math.ceil(patience.quietMs / lookMs)
  const seen = new WeakMap<HostClient, Seen>()
  const asking = new Set<number>()
  let looksWithoutAWord = 0
  let lastSilence = { looks: 0, looksSince: 0 }

  function noteWord(): void {
    noteSilence(looksWithoutAWord)
    looksWithoutAWord = 0
  }

  function noteSilence(looks: number): void {
    if (looks > remembered()) lastSilence = { looks, looksSince: 0 }
  }

  function remembered(): number {
    return lastSilence.looksSince * lookMs <= rememberedMs ? lastSilence.looks : 0
  }

  function look(): void {
    const suspects: HostClient[] = []
    looksWithoutAWord += 1
    lastSilence.looksSince += 1
    for (const client of hosts.clients) {
      const { bytesRead, bytesWritten } = socketOf(client)
      const before = seen.get(client)
      // A connection that has only just been asked for has not said anything.
      if ((before?.received ?? 0) !== bytesRead) noteWord()
      if (!client.isOpen || !client.waiting || before?.received !== bytesRead) {
        seen.set(client, { received: bytesRead, sent: bytesWritten, quietLooks: 0, askAt: quietLooks })
        continue
      }
      before.quietLooks += 1
      if (client.hasDeadline && before.quietLooks * lookMs >= (patience.deadlineMs ?? Infinity))
        giveUp(client, silent('took longer than a statement may'))
      else if (before.quietLooks >= before.askAt) suspects.push(client)
    }
    for (const [host, some] of Map.groupBy(suspects, ({ hostNumber }) => hostNumber))
      if (!asking.has(host)) void ask(host, some)
  }

  async function ask(host: number, suspects: readonly HostClient[]): Promise<void> {
    asking.add(host)
    const received = new Map(
      [...hosts.clients]
        .filter(({ hostNumber }) => hostNumber === host)
        .map((client) => [client, socketOf(client).bytesRead]),
    )
    const isQuiet = (client: HostClient) => socketOf(client).bytesRead === received.get(client)
    const isShort = (client: HostClient) =>
      !client.conversing && socketOf(client).bytesWritten - (seen.get(client)?.sent ?? 0) < shortBytes
    try {
      const lost = await askServer(host, () =>
        suspects.filter((client) => client.waiting && isQuiet(client) && isShort(client)),
      )
      if (lost === 'silent' && [...received.keys()].every(isQuiet)) {
        const error = silent('has not answered')
        // Those too that have begun to connect meanwhile: whoever waits for them would wait longer than necessary.
        for (const client of hosts.clients) if (client.hostNumber === host) giveUp(client, error)
        onSilent(error)
        return
      }
      for (const client of suspects) {
        const before = seen.get(client)
        if (lost !== 'silent' && lost.has(client)) {
          giveUp(client, silent('has lost the connection'))
          // Who waited behind it waited for a database that did not answer, though others were answered.
          noteSilence(before?.quietLooks ?? quietLooks)
        }
        if (before) before.askAt = Math.min(before.quietLooks * 2, before.quietLooks + 4 * quietLooks)
      }
    } finally {
      asking.delete(host)
    }
  }

  /** Those that the server has lost; `silent` where it says nothing at all. One that answers with an error, or slowly, is there. */
  async function askServer(hostNumber: number, suspects: () => HostClient[]): Promise<'silent' | Set<HostClient>> {
    const client = new hosts.Client({ ...options, connectionTimeoutMillis: patience.answerMs, hostNumber })
    client.on('error', () => {})
    const timer = setTimeout(() => giveUp(client, silent('has not answered')), patience.answerMs)
    try {
      await client.connect()
      return await lostAmong(client, suspects)
    } catch {
      return socketOf(client).bytesRead > 0 ? new Set() : 'silent'
    } finally {
      clearTimeout(timer)
      client.end().catch(() => {})
    }
  }

  const timer = setInterval(look, lookMs).unref()
  return { quietMs: () => Math.max(looksWithoutAWord, remembered()) * lookMs, stop: () => clearInterval(timer) }
}

/**
 * A server process that waits to read while we wait for its answer never got the question, or sent the answer to nobody. It is ended, with its locks.
 * On a node of a cluster one that is active may as well wait for another node.
 */
async function lostAmong(client: HostClient, suspects: () => HostClient[]): Promise<Set<HostClient>> {
  const { rows } = await client.query<{ own: number; pid: number | null; reading: boolean }>(
    `select pg_backend_pid() as own, a.pid, a.wait_event = 'ClientRead' and a.state_change < clock_timestamp() - interval '1 second'
       and (a.state <> 'active' or to_regclass('pg_catalog.pg_dist_node') is null) as reading
     from (select) as always left join pg_stat_activity a on a.pid = any($1::int[])`,
    [suspects().map(pidOf)],
  )
  // Behind a pooler the numbers are the pooler's, and say nothing.
  if (rows[0]?.own !== pidOf(client)) return new Set()
  const working = new Set(rows.filter(({ reading }) => !reading).map(({ pid }) => pid))
  const lost = suspects().filter((one) => !working.has(pidOf(one)))
  if (lost.length > 0)
    await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [lost.map(pidOf)])
  return new Set(lost)
}

function pidOf(client: HostClient): number {
  return (client as unknown as { processID: number }).processID
}

function socketOf(client: HostClient): Socket {
  return client.connection.stream as unknown as Socket
}

function silent(what: string): Error {
  return Object.assign(new Error(`the database ${what}`), { code: 'ETIMEDOUT' })
}
