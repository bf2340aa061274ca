import type { Settings } from '../../../settings.ts'
import { directoryStorage } from './directory.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

export function openStorage({ documents, fileLimits: limits }: Pick<Settings, 'documents' | 'fileLimits'>): Storage {
  return { ...(documents.kind === 'directory' ? directoryStorage(documents.path) : s3Storage(documents)), limits }
}
