import type { Settings } from '../../settings.ts'
import { directoryStorage } from './directory.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

export function openStorage({ documents }: Pick<Settings, 'documents'>): Storage {
  return documents.kind === 'directory' ? directoryStorage(documents.path) : s3Storage(documents)
}
