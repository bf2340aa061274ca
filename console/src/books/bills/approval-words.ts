import type { Schemas } from '@lading/sdk'

export type ApprovalStatus = Schemas['Bill']['approval_status']

export const approvalWords: Record<ApprovalStatus, string> = {
  not_needed: 'Not needed',
  pending: 'Waiting for approval',
  approved: 'Approved',
  rejected: 'Rejected',
}
