import Type, { type Static } from 'typebox'
import { type Detail, invalidAll, quote } from '../../../platform/core/refusal.ts'
import { changedBetween, Id, nullable, paging, Text, Time, wholeEdit } from '../../../platform/core/schema/schema.ts'
import { parseDate } from '../../../platform/core/values/dates.ts'
import { type Connector, type ConnectorSettings, connectors } from '../catalogue.ts'

export const statuses = ['connected', 'needs_sign_in', 'error', 'disconnected'] as const
export type Status = (typeof statuses)[number]

const name = Text('What people call it.', 'Our books')
const settings = Type.Record(Type.String(), nullable(Type.String({ maxLength: 255 })), {
  description: 'What it is set to: the keys are the `settings` of its connector. Null takes one away.',
  examples: [{ start_on: '2026-11-01', expense_account: '7' }],
})
const secrets = Type.Record(Type.String(), nullable(Type.String({ maxLength: 4000 })), {
  description: 'Kept encrypted and never answered: the keys are the `secrets` of its connector. Null takes one away.',
  examples: [{ client_secret: '…' }],
})

export const Connection = Type.Object(
  {
    id: Id('The connection.'),
    org_id: Id('The organization.'),
    connector_id: Type.String({
      description: 'Which accounting system it is, of `GET /connectors`.',
      examples: ['quickbooks_online'],
    }),
    name,
    status: Type.Enum(statuses, {
      description:
        '`needs_sign_in`: an admin must sign in there. `error`: the last sync could not go on; `error` says why.',
      examples: ['connected'],
    }),
    settings: Type.Record(Type.String(), Type.String(), {
      description: 'What it is set to.',
      examples: [{ start_on: '2026-11-01' }],
    }),
    secrets_set: Type.Array(Type.String(), {
      description: 'The names of the secrets that it has.',
      examples: [['client_secret']],
    }),
    remote_id: nullable(
      Type.String({ description: 'The company or the tenant there.', examples: ['9130347957983216'] }),
    ),
    remote_name: nullable(
      Type.String({ description: 'What that is called.', examples: ['Blue Ridge Freight Brokers, Inc.'] }),
    ),
    error: nullable(
      Type.String({ description: 'Why it does not work.', examples: ['The other side gave no token: invalid_grant.'] }),
    ),
    connected_at: nullable(Time('When somebody signed in there last.')),
    last_sync_at: nullable(Time('When a sync ended last.')),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: Type.String({ description: 'Who made it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'ConnectorOrg', description: 'The connection of the organization with an accounting system.' },
)
export type Connection = Omit<Static<typeof Connection>, 'status' | 'settings'> & {
  status: Status
  settings: ConnectorSettings
}

/** With what no answer shows. */
export type KeptConnection = Connection & { secrets_sealed: string | null }

export const NewConnection = Type.Object(
  {
    connector_id: Type.String({
      maxLength: 60,
      description: 'Which accounting system, of `GET /connectors`.',
      examples: ['quickbooks_online'],
    }),
    name: Type.Optional(name),
    settings: Type.Optional(settings),
    secrets: Type.Optional(secrets),
  },
  { examples: [{ connector_id: 'csv', name: 'Table for the bookkeeper' }] },
)
export type NewConnection = Static<typeof NewConnection>

export const ConnectionEdit = wholeEdit(
  Type.Object({ ...Connection.properties }),
  Type.Partial(Type.Object({ name, settings, secrets })),
)
export type ConnectionEdit = {
  name?: string
  settings?: Record<string, string | null>
  secrets?: Record<string, string | null>
}

export const ConnectionSearch = Type.Object({
  connector_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: 20,
      description: 'Keeps those with these systems.',
      examples: [['xero']],
    }),
  ),
  status_ids: Type.Optional(
    Type.Array(Type.Enum(statuses), {
      maxItems: 10,
      description: 'Keeps those in one of these states.',
      examples: [['connected']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type ConnectionSearch = Static<typeof ConnectionSearch>

export const ConnectBody = Type.Object({
  authorization_code: Type.String({
    minLength: 1,
    maxLength: 4000,
    description: 'The `code` that the other side came back with.',
    examples: ['AB11…'],
  }),
  state: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The `state` that it came back with.',
    examples: ['WyIw…'],
  }),
  realm_id: Type.Optional(
    nullable(
      Type.String({
        maxLength: 60,
        description: 'The `realmId` that QuickBooks came back with.',
        examples: ['9130347957983216'],
      }),
    ),
  ),
})
export type ConnectBody = Static<typeof ConnectBody>

/** What was sent over what there is, each value of the form that it must have. No message repeats a secret. */
export function mergedSettings(
  connector: Connector,
  current: ConnectorSettings,
  sent: Record<string, string | null>,
): ConnectorSettings {
  const known = new Map(connector.settings.map((setting) => [setting.name as string, setting]))
  const wrong = Object.entries(sent).flatMap(([key, value]): Detail[] => {
    const setting = known.get(key)
    const field = `settings.${key}`
    if (!setting)
      return [
        {
          field,
          code: 'unknown_setting',
          message: unknownOf('setting', connector, key, [...known.keys()]),
          allowed: [...known.keys()],
        },
      ]
    if (value !== null && setting.isDate && (!/^\d{4}-\d{2}-\d{2}$/.test(value) || !parseDate(value, 'start')))
      return [{ field, code: 'bad_date', message: `"${field}" must be a day such as 2026-11-01, not ${quote(value)}.` }]
    return value === ''
      ? [{ field, code: 'too_short', message: `"${field}" must not be empty; send null to take it away.` }]
      : []
  })
  if (wrong.length > 0) throw invalidAll(wrong)
  return merged(current, sent)
}

export function mergedSecrets(
  connector: Connector,
  current: Record<string, string>,
  sent: Record<string, string | null>,
): Record<string, string> {
  const wrong = Object.keys(sent)
    .filter((key) => !connector.secrets.includes(key))
    .map((key) => ({
      field: `secrets.${key}`,
      code: 'unknown_setting',
      message: unknownOf('secret', connector, key, connector.secrets),
      allowed: connector.secrets,
    }))
  if (wrong.length > 0) throw invalidAll(wrong)
  return merged(current, sent)
}

/** Whether the body of a request holds secrets of a connection. */
export function hasSecrets(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('secrets' in body || 'authorization_code' in body)
}

export function unknownConnector(id: string): Detail {
  const allowed = connectors.map((connector) => connector.id)
  return {
    field: 'connector_id',
    code: 'unknown_connector',
    message: `There is no connector ${quote(id)}. There are ${allowed.join(', ')}.`,
    allowed,
  }
}

function unknownOf(what: string, { name }: Connector, key: string, names: readonly string[]): string {
  return `${name} has no ${what} ${quote(key)}. ${names.length > 0 ? `There are ${names.join(', ')}.` : 'It has none.'}`
}

function merged<T extends Record<string, string | undefined>>(current: T, sent: Record<string, string | null>): T {
  return Object.fromEntries(
    Object.entries({ ...current, ...sent }).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  ) as T
}
