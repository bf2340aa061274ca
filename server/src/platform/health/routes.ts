import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../settings.ts'
import type { Database } from '../db/database.ts'
import { describeState, readSchemaState } from '../db/schema/schema-state.ts'
import { documentsState } from '../files/contents/place.ts'

/** `partly`: something cannot be done, and everything else can; whoever sends requests here goes on. */
type Check = { ok: boolean; partly?: true; message: string }
export type DrainState = { now: boolean }

/** `live`: the process answers. `ready`: it can do its work, and means to go on doing so. */
export async function health(
  app: FastifyInstance,
  { database, settings, draining }: { database: Database; settings: Settings; draining: DrainState },
): Promise<void> {
  app.get('/health/live', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live', version: settings.version }),
  )

  app.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    const checks = await check(database, settings)
    const ready = !draining.now && Object.values(checks).every(({ ok, partly }) => ok || partly)
    if (!ready) reply.header('retry-after', '1')
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: draining.now ? 'draining' : ready ? 'ready' : 'not_ready',
        ...(settings.outbound === 'off' && { outbound: 'off' }),
        checks,
      })
  })
}

export async function check(
  database: Database,
  settings: Settings,
): Promise<Record<'database' | 'migrations' | 'disk' | 'documents_disk', Check>> {
  const [migrations, disk, documents] = await Promise.all([
    checkMigrations(database),
    checkDisk(settings),
    documentsState(database.pool, settings),
  ])
  const { freeBytes: _, ...documents_disk } = documents
  return {
    database:
      migrations === null
        ? { ok: false, message: 'The database does not answer.' }
        : { ok: true, message: 'The database answers.' },
    migrations: migrations ?? { ok: false, message: 'Unknown while the database is away.' },
    disk,
    documents_disk,
  }
}

async function checkMigrations({ pool }: Database): Promise<Check | null> {
  const tooLate = new Promise<null>((resolve) => setTimeout(resolve, 3_000, null).unref())
  const state = await Promise.race([readSchemaState(pool.run).catch(() => null), tooLate])
  return state && describeState(state)
}

/** The disk matters where the database is ours; a database elsewhere watches over its own. */
async function checkDisk({ databaseUrl, dataDir, minimumFreeDiskMb }: Settings): Promise<Check> {
  if (databaseUrl) return { ok: true, message: 'The database is elsewhere.' }
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = Math.floor((bavail * bsize) / 2 ** 20)
    return {
      ok: free >= minimumFreeDiskMb,
      message: `${free} MB free in the data directory; ${minimumFreeDiskMb} MB are needed.`,
    }
  } catch {
    return { ok: false, message: 'The data directory cannot be read.' }
  }
}
