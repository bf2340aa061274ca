import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { invalidAll, notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../../platform/core/schema/revisions.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { record } from '../../../platform/events/record.ts'
import type { Vault } from '../../../platform/vault/vault.ts'
import { type Connector, connectorOf } from '../catalogue.ts'
import {
  type ConnectionEdit,
  type KeptConnection,
  mergedSecrets,
  mergedSettings,
  type NewConnection,
  unknownConnector,
} from './model.ts'
import {
  deleteConnection,
  findConnection,
  insertConnection,
  lockConnection,
  saveConnection,
  saveStatus,
} from './store.ts'

/** Files need nobody to sign in anywhere. */
export function createConnection(
  ctx: Context,
  vault: Vault,
  input: NewConnection,
): Promise<WireRecord & { id: string }> {
  const connector = connectorOf(input.connector_id)
  if (!connector) throw invalidAll([unknownConnector(input.connector_id)])
  const settings = mergedSettings(connector, {}, input.settings ?? {})
  const secrets = mergedSecrets(connector, {}, input.secrets ?? {})
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertConnection(ctx, {
      ...{
        id,
        connector_id: connector.id,
        name: input.name ?? connector.name,
        settings,
        created_by: await actorId(ctx),
      },
      ...{
        status: connector.transport === 'file' ? ('connected' as const) : ('needs_sign_in' as const),
        ...sealed(ctx, vault, id, secrets),
      },
    })
    return { id, ...(await recordConnection(ctx, 'created', id)) }
  })
}

export function updateConnection(
  ctx: Context,
  vault: Vault,
  id: string,
  input: ConnectionEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, id, expected)
    const connector = requireConnector(current)
    const settings = mergedSettings(connector, current.settings, input.settings ?? {})
    const before = secretsOf(ctx, vault, current)
    const secrets = mergedSecrets(connector, before, input.secrets ?? {})
    const name = input.name ?? current.name
    const isSameSecret = JSON.stringify(secrets) === JSON.stringify(before)
    const previous = {
      ...(name !== current.name && { name: current.name }),
      ...(JSON.stringify(settings) !== JSON.stringify(current.settings) && { settings: current.settings }),
      ...(!isSameSecret && { secrets_set: current.secrets_set }),
    }
    if (Object.keys(previous).length === 0) return readBack(ctx, id)
    const kept = isSameSecret
      ? { secrets_sealed: current.secrets_sealed, secret_names: current.secrets_set }
      : sealed(ctx, vault, id, secrets)
    await saveConnection(ctx, { id, name, settings, ...kept })
    return recordConnection(ctx, 'updated', id, previous)
  })
}

/** Only one through which nothing was synced: what records are there must not be forgotten, or they would be made again. */
export function removeConnection(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockExpected(ctx, id, expected)
    await recordConnection(ctx, 'deleted', id)
    await deleteConnection(ctx, id)
  })
}

/** The tokens are forgotten; mappings and what records are there stay for the next sign-in. */
export function disconnect(ctx: Context, id: string, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, id, expected)
    if (current.status === 'disconnected') return readBack(ctx, id)
    await saveStatus(ctx, id, { status: 'disconnected', error: null })
    return recordConnection(ctx, 'disconnected', id, { status: current.status })
  })
}

export async function lockExpected(ctx: Context, id: string, expected: ExpectedRevision): Promise<KeptConnection> {
  const current = await lockConnection(ctx, id)
  if (!current) throw notFound('connection', id)
  requireExpected(expected, current.revision)
  return current
}

/** A connector is never taken out of the catalogue: connections with it stay. */
export function requireConnector({ connector_id }: { connector_id: string }): Connector {
  const connector = connectorOf(connector_id)
  if (!connector) throw new Error(`nobody knows the connector ${connector_id}`)
  return connector
}

export function secretsOf(
  { org }: Context,
  vault: Vault,
  { id, secrets_sealed }: Pick<KeptConnection, 'id' | 'secrets_sealed'>,
): Record<string, string> {
  return secrets_sealed === null
    ? {}
    : vault.open<Record<string, string>>({ org, id, secret: 'connection secrets' }, secrets_sealed)
}

/** Answers the connection as it is now. */
/** `more` is what the event says besides the connection as it is now. */
export async function recordConnection(
  ctx: Context,
  verb: string,
  id: string,
  previous?: Record<string, unknown>,
  more?: object,
): Promise<WireRecord> {
  const { revision, json } = await readBack(ctx, id)
  const data = more ? JSON.stringify({ ...JSON.parse(json), ...more }) : json
  await record(ctx, {
    type: `connector_org.${verb}`,
    subject: { type: 'connector_org', id },
    revision,
    data,
    ...(previous && { previous }),
  })
  return { revision, json }
}

export async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findConnection(ctx, id)
  if (!found) throw new Error(`connection ${id} is missing within its own transaction`)
  return found
}

function sealed(
  { org }: Context,
  vault: Vault,
  id: string,
  secrets: Record<string, string>,
): { secrets_sealed: string | null; secret_names: string[] } {
  const names = Object.keys(secrets).sort()
  return {
    secrets_sealed: names.length === 0 ? null : vault.seal({ org, id, secret: 'connection secrets' }, secrets),
    secret_names: names,
  }
}
