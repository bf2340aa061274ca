import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../src/platform/core/values/ids.ts'
import type { Client, Reply, Sent } from './client.ts'
import { count, type History, type Kind, type Write } from './history.ts'
import type { Organization } from './organizations.ts'

/** One caller of an organization, and where it writes down what it was answered. */
export type Caller = {
  organization: Organization
  client: Client
  /** Where the next request goes. */
  base(): string
  history: History
  isOver(): boolean
  newMark(): string
}

type Asked = Omit<Sent, 'token'>

const mostAttempts = 6
/** In so many of ten cases a client that does not know what became of its write repeats it; in the others it stays unknown. */
const repeats = 7

export async function ask({ organization, client, base, history }: Caller, asked: Asked): Promise<Reply> {
  const reply = await client.send(base(), { ...asked, token: organization.token })
  count(history.statuses, reply.status)
  // Callers that ask without a pause would keep from its work what is to come back.
  if (reply.status === 0 || reply.status === 503) await sleep(100)
  if (reply.status !== 0) history.slowestMs = Math.max(history.slowestMs, reply.ms)
  const wrong = whatIsWrong(organization, reply)
  if (wrong)
    count(history.wrong, `${asked.method} ${asked.path.replace(/[0-9a-f-]{36}/g, '{id}').replace(/\?.*/, '')} ${wrong}`)
  return reply
}

/** A write with an idempotency key, repeated with the same key where its fate is not known. */
export async function write(caller: Caller, kind: Kind, mark: string, asked: Asked, list?: string): Promise<Write> {
  const headers = { ...asked.headers, 'idempotency-key': newId() }
  const [began, org] = [performance.now(), caller.organization.id]
  const written: Write = {
    kind,
    org,
    mark,
    fate: 'refused',
    began,
    ended: began,
    id: null,
    answer: '',
    ...(list && { list }),
  }
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const reply = await ask(caller, { ...asked, headers })
    written.answer = `${reply.status} ${codeOf(reply)}`
    if (reply.status === 200 || reply.status === 201) {
      written.fate = 'acknowledged'
      written.id = idIn(reply.body)
      break
    }
    if (isUndecided(reply)) written.fate = 'unknown'
    if (!isWorthRepeating(reply) || caller.isOver() || Math.random() * 10 > repeats) break
    await sleep(100 + Math.random() * 300)
  }
  written.ended = performance.now()
  caller.history.writes.push(written)
  return written
}

/** Whether the write may have been done all the same. An answer that does not say `outcome: unknown` promises that nothing was. */
function isUndecided({ status, body, sent }: Reply): boolean {
  return status === 0 ? sent : status === 503 && /"outcome":\s*"unknown"/.test(body)
}

function isWorthRepeating({ status, body }: Reply): boolean {
  return (
    status === 0 || status === 503 || status === 429 || (status === 409 && body.includes('idempotency_key_in_flight'))
  )
}

/** What no client may ever be answered, whatever is broken. */
function whatIsWrong({ id, index }: Organization, { status, headers, body }: Reply): string | null {
  if (status === 503 && !headers['retry-after']) return 'was answered 503 without Retry-After.'
  if ([400, 401, 403, 422, 429].includes(status) || (status >= 500 && status !== 503))
    return `was answered ${status}: ${codeOf({ body })}.`
  const shown = [...body.matchAll(/"(?:org_id|orgId)":"([^"]+)"/g)].some(([, org]) => org !== id)
  const marked = [...body.matchAll(/load-(\d+)-/g)].some(([, other]) => Number(other) !== index)
  return shown || marked ? 'showed the records of another organization.' : null
}

function codeOf({ body }: { body: string }): string {
  return /"(?:error_code|code)":\s*"([^"]+)"/.exec(body)?.[1] ?? body.slice(0, 80)
}

/** The record of an answer: the answer itself in v2, its first field in v1. */
function idIn(body: string): string | null {
  const answer = JSON.parse(body)
  return answer.id ?? (Object.values(answer)[0] as { id?: string } | null)?.id ?? null
}
