import { settings } from '../../app/api/settings.ts'
import type { Entry } from './queries.ts'

/** Whose token it was. */
export function applicationWords({ application }: Pick<Entry, 'application'>): string {
  if (!application) return '–'
  if (application.client_id === settings.clientId) return 'Console'
  return application.name ?? 'An application that is gone'
}
