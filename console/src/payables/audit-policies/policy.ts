import type { Schemas } from '@lading/sdk'

export type Policy = Schemas['AuditPolicy']
export type Content = Omit<Policy, 'id' | 'org_id' | 'revision' | 'created_at' | 'updated_at'>
