import type { App } from '../../platform/http/edge/app.ts'
import { approverRoutes } from './approver-routes.ts'
import { decisionRoutes } from './decision-routes.ts'
import { delegationRoutes } from './delegation-routes.ts'
import { ApprovalDelegation, BillApprovals } from './rules/model.ts'

export async function approvals(app: App): Promise<void> {
  decisionRoutes(app)
}

/** Who may decide, also in the place of others. */
export async function approvers(app: App): Promise<void> {
  for (const schema of [ApprovalDelegation, BillApprovals]) app.addSchema(schema)
  delegationRoutes(app)
  approverRoutes(app)
}
