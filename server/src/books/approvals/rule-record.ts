import Type, { type Static, type TObject } from 'typebox'
import { rightsOfRole, roleNames } from '../../platform/access/roles.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { Id, nullable, Text } from '../../platform/core/schema/schema.ts'
import { nameTaken, plainRecord, versioned } from '../../platform/resource/plain-record.ts'
import { Amount } from '../documents/model/fields/amount.ts'
import { normalId } from '../documents/model/fields/normal.ts'
import { requireApprover } from './delegations.ts'
import { rejudgeSoon } from './rejudging.ts'
import { listRoles } from './rules/rules-store.ts'

const fields = {
  name: Text('What people call it.', 'Over 10,000 USD', { maxLength: 200 }),
  is_active: Type.Boolean({ description: 'Whether it counts.', examples: [true] }),
  min_amount: nullable(
    Amount('Bills that come to at least this much, in minor units of `currency_id`; null for any amount.', 1_000_000),
  ),
  currency_id: nullable(
    Type.String({
      maxLength: 3,
      description:
        'The currency of `min_amount`. A bill in another is compared by what it comes to in the home currency, where that is this one; where it cannot be compared, the rule is about it.',
      examples: ['usd'],
    }),
  ),
  partner_carrier_id: nullable(Id('Bills of this carrier or partner; null for all.')),
  bill_item_type_id: nullable(Id('Bills with a line of this type; null for all.')),
  approver_user_ids: nullable(
    Type.Array(Id('A user.'), {
      minItems: 1,
      maxItems: 100,
      description: 'Who may approve; null for everybody whose role allows it.',
      examples: [null],
    }),
  ),
  approver_role: nullable(
    Type.Enum(roleNames, {
      description: 'The role of those who may approve, in the place of `approver_user_ids`; null for any.',
      examples: ['approver'],
    }),
  ),
  needed_approvals: Type.Integer({
    minimum: 1,
    maximum: 2,
    description: 'How many people have to approve.',
    examples: [1],
  }),
}
type Content = Static<TObject<typeof fields>>

const schema = Type.Object(
  { id: Id('The rule.'), ...fields, ...versioned },
  {
    $id: 'ApprovalRule',
    description:
      'Who has to approve which bills. Every rule that is about a bill has to be met; one person’s approval can meet several.',
  },
)
const isActive = Type.Boolean({ description: 'Keeps the rules that count, or those that do not.', examples: [true] })

export const approvalRules = plainRecord({
  noun: 'approval_rule',
  plural: 'approval_rules',
  tag: 'Approvals',
  access: { scope: 'bills' },
  accessToWrite: { scope: 'bills', right: 'administer' },
  schema,
  fields,
  optional: {
    ...{ is_active: true, min_amount: null, currency_id: null, partner_carrier_id: null, bill_item_type_id: null },
    ...{ approver_user_ids: null, approver_role: null, needed_approvals: 1 },
  },
  examples: {
    create: {
      name: 'Over 10,000 USD',
      min_amount: 1_000_000,
      currency_id: 'usd',
      approver_role: 'approver',
      needed_approvals: 2,
    },
    update: { needed_approvals: 2 },
  },
  filters: { active: { equals: 'is_active', schema: isActive } },
  summaryOfSearch: 'List approval rules',
  texts: {
    search: 'Lists the rules that say who has to approve which bills, newest first.',
    create:
      'Makes a rule. It counts while `approvals` of the organization is `on`, also for the open bills that are there. It needs the role admin.',
    get: 'Answers one approval rule.',
    update:
      'Only the fields that are sent apply; null clears. Open bills are looked at again. It needs the role admin.',
    delete: 'Deletes the rule. Open bills are looked at again. It needs the role admin.',
  },
  check,
  refusals: {
    approval_rule_name: ({ name }) => nameTaken('an approval rule', name),
    approval_rule_currency: ({ currency_id }) =>
      invalid(
        'currency_id',
        'unknown_currency',
        `${quote(currency_id)} is not the lower-case code of an ISO 4217 currency, such as "usd".`,
      ),
    approval_rule_bill_item_type: ({ bill_item_type_id }) =>
      invalid(
        'bill_item_type_id',
        'unknown_bill_item_type',
        `There is no bill item type ${quote(bill_item_type_id)} in this organization.`,
      ),
  },
  async require(ctx, { after }) {
    const named = after?.approver_user_ids ?? []
    const roles = named.length > 0 ? await listRoles(ctx, named) : new Map()
    for (const id of named) requireApprover('approver_user_ids', id, roles.get(id))
  },
  afterwards: rejudgeSoon,
})

/** What the schemas of the fields cannot say. */
function check(rule: Content): Content {
  const next: Content = {
    ...rule,
    currency_id: rule.currency_id?.toLowerCase() ?? null,
    partner_carrier_id: normalId(rule.partner_carrier_id),
    bill_item_type_id: normalId(rule.bill_item_type_id),
    approver_user_ids: rule.approver_user_ids && [...new Set(rule.approver_user_ids.map((id) => id.toLowerCase()))],
  }
  if ((next.min_amount === null) !== (next.currency_id === null))
    throw invalid(
      'currency_id',
      'currency_required',
      '"min_amount" and "currency_id" belong together: send both, or neither.',
    )
  if (next.approver_user_ids && next.approver_role)
    throw invalid(
      'approver_role',
      'two_kinds_of_approvers',
      'Name who may approve by "approver_user_ids" or by "approver_role", not by both.',
    )
  if (next.approver_role && !rightsOfRole(next.approver_role).has('approve'))
    throw invalid('approver_role', 'cannot_approve', `The role ${next.approver_role} does not allow to approve.`)
  if (next.approver_user_ids && next.approver_user_ids.length < next.needed_approvals)
    throw invalid('needed_approvals', 'too_few_approvers', 'Fewer people are named than have to approve.')
  return next
}
