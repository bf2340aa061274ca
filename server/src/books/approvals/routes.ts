import type { App } from '../../platform/http/edge/app.ts'
import { approverRoutes } from './approver-routes.ts'
import { decisionRoutes } from './decision-routes.ts'
import { delegationRoutes } from './delegation-routes.ts'
import { ruleRoutes } from './rule-routes.ts'
import { ApprovalDelegation, ApprovalRule, BillApprovals } from './rules/model.ts'

export async function approvals(app: App): Promise<void> {
  for (const schema of [ApprovalRule, ApprovalDelegation, BillApprovals]) app.addSchema(schema)
  decisionRoutes(app)
  ruleRoutes(app)
  delegationRoutes(app)
  approverRoutes(app)
}
