import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { createJoinedUser } from '../../src/identity/users/actions.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { systemContext } from '../../src/platform/organizations/actions.ts'
import { askToken, type House, newEmail, newParty, type Party, password, tokensByPassword } from './house.ts'

export type Session = {
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
}

type Recorded = { type: string; data: unknown; previous: unknown; actor: unknown; subject_id: string }

/** The admin of a new organization, signed in through its application; and others next to them. */
export type Admin = Session & {
  party: Party
  newMember(): Promise<Session & { id: string; email: string }>
  withScopes(scopes: readonly string[]): Promise<Session>
  asApplication(): Promise<Session>
  /** What was recorded about subjects of this kind since the organization was made. */
  events(subject: string): Promise<Recorded[]>
}

export async function newAdmin(house: House): Promise<Admin> {
  const party = await newParty(house)
  const since = await house.pool.run(sql`select clock_timestamp() as at`)
  const { access_token } = await tokensByPassword(house, party)
  return {
    party,
    ...sessionWith(house, access_token),
    async newMember() {
      const email = newEmail()
      const { id } = await createJoinedUser(systemContext(house.database, party.org), {
        email,
        name: 'Mo Member',
        password,
      })
      return { id, email, ...sessionWith(house, (await tokensByPassword(house, { ...party, email })).access_token) }
    },
    withScopes: async (scopes) =>
      sessionWith(house, (await tokensByPassword(house, party, { scope: scopes.join(' ') })).access_token),
    asApplication: async () =>
      sessionWith(house, (await askToken(house, party, { grant_type: 'client_credentials' })).json().access_token),
    events: async (subject) => [
      ...(await house.database.transaction(party.org, (run) =>
        run<Recorded>({
          text: 'select type, data, previous, actor, subject_id from events where org_id = $1 and subject_type = $2 and occurred_at > $3 order by id',
          values: [party.org, subject, since[0]?.at],
        }),
      )),
    ],
  }
}

function sessionWith({ app }: House, token: string): Session {
  const call: Session['call'] = (method, url, body, headers = {}) =>
    app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  return { call, get: (url, headers) => call('GET', url, undefined, headers) }
}
