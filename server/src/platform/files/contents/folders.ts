import { join } from 'node:path'
import type { Settings } from '../../../settings.ts'

/** Where files are while they arrive, before they were checked: next to those of the directory, so that they need not be copied. */
export function uploadFolder({ documents, dataDir }: Pick<Settings, 'documents' | 'dataDir'>): string {
  return join(documents.kind === 'directory' ? documents.path : join(dataDir, 'documents'), 'uploading')
}
