import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import type { PageRequest } from '../../platform/core/schema/pages.ts'
import { readId } from '../../platform/core/values/ids.ts'
import { findIdByClientId } from './lookup-store.ts'
import type { OAuthApplication } from './model.ts'
import { listApplications } from './store.ts'

export type ApplicationsPage = { oauth_applications: OAuthApplication[]; offset: number; limit: number; total: number }

/** A page of applications, as GET /oauth_applications answers it. */
export async function searchApplications(ctx: Context, asked: PageRequest): Promise<ApplicationsPage> {
  return JSON.parse(await listApplications(ctx, asked))
}

/** The id of the application with this id or client id. */
export async function requireApplicationId(ctx: Context, named: string): Promise<string> {
  const id = readId(named) ?? (await findIdByClientId(ctx, named))
  if (!id) throw notFound('OAuth application', named)
  return id
}
