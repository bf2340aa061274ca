import Type, { type Static } from 'typebox'
import { conflict, forbidden, type Refusal } from '../../../platform/core/refusal.ts'
import { changedBetween, Id, Moment, nullable, paging, Time } from '../../../platform/core/schema/schema.ts'
import { versioned } from '../../../platform/resource/plain-record.ts'
import { approvalStatuses } from '../../bills/fields/fields.ts'

export const ApprovalDelegation = Type.Object(
  {
    id: Id('The delegation.'),
    from_user_id: Id('The user whose approvals somebody else may give.'),
    from_user_name: Type.String({ description: 'What they are called.', examples: ['Sam Ortega'] }),
    to_user_id: Id('The user who may give them.'),
    to_user_name: Type.String({ description: 'What they are called.', examples: ['Avery Brooks'] }),
    starts_at: Time('From when.'),
    ends_at: Time('Until when.'),
    created_by: Type.String({ description: 'Who made it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    revision: versioned.revision,
    created_at: Time('When it was made.'),
  },
  { $id: 'ApprovalDelegation', description: 'Somebody approves in the place of somebody else for a while.' },
)
export type ApprovalDelegation = Static<typeof ApprovalDelegation>

export const NewApprovalDelegation = Type.Object({
  from_user_id: Type.Optional(
    Id('The user whose approvals are delegated: the caller unless said. Only an admin may name somebody else.'),
  ),
  to_user_id: Id('The user who may give them; their role must allow to approve.'),
  starts_at: Type.Optional(Moment('From when; now unless said.', '2026-11-16T00:00:00.000Z')),
  ends_at: Moment('Until when.', '2027-11-30T00:00:00.000Z'),
})
export type NewApprovalDelegation = Static<typeof NewApprovalDelegation>
export const ApprovalDelegationSearch = Type.Object({
  current: Type.Optional(Type.Boolean({ description: 'With true keeps those that have not ended.', examples: [true] })),
  ...changedBetween,
  ...paging,
})
export type ApprovalDelegationSearch = Static<typeof ApprovalDelegationSearch>

const note = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'What others should know about it.',
  examples: ['Checked against the rate confirmation'],
})
export const Approval = Type.Object({ note: Type.Optional(nullable(note)) })
export const Rejection = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.', examples: ['Detention was not agreed'] }),
})
export const ManyApprovals = Type.Object({
  bill_ids: Type.Array(Id('A bill.'), { minItems: 1, maxItems: 200, description: 'The bills, at most 200.' }),
  note: Type.Optional(nullable(note)),
})
export const ManyResults = Type.Object({
  counts: Type.Object({
    approved: Type.Integer({ description: 'How many are approved now.', examples: [2] }),
    pending: Type.Integer({ description: 'How many wait for another person.', examples: [0] }),
    failed: Type.Integer({ description: 'How many could not be approved by the caller.', examples: [0] }),
  }),
  results: Type.Array(
    Type.Object({
      id: Id('The bill.'),
      status: Type.Enum(['approved', 'pending', 'failed'], { description: 'What came of it.', examples: ['approved'] }),
      revision: nullable(Type.Integer({ description: 'Its revision now.', examples: [4] })),
      error: Type.Optional(Type.Ref('RowError')),
    }),
    { description: 'One for each bill, in their order.' },
  ),
})
export const BillApprovals = Type.Object(
  {
    approval_status: Type.Enum(approvalStatuses, { description: 'How the approval stands.', examples: ['pending'] }),
    needs: Type.Array(
      Type.Object({
        rule_id: nullable(Id('The rule; null where none is about the bill, and anybody who may approve is enough.')),
        name: nullable(Type.String({ description: 'The name of the rule.', examples: ['Over 10,000 USD'] })),
        approver_user_ids: nullable(Type.Array(Type.String(), { description: 'Who may.', examples: [null] })),
        approver_names: nullable(Type.Array(Type.String(), { description: 'What they are called.', examples: [null] })),
        approver_role: nullable(Type.String({ description: 'Whose role may.', examples: ['approver'] })),
        needed_approvals: Type.Integer({ description: 'How many people have to approve.', examples: [1] }),
        given_approvals: Type.Integer({ description: 'How many have, as the bill is now.', examples: [0] }),
      }),
      { description: 'What has to be met before it is approved; empty where no approval is needed.' },
    ),
    can_decide: Type.Boolean({ description: 'Whether the caller may approve or reject it now.', examples: [true] }),
    cannot_because: nullable(Type.String({ description: 'Why the caller may not.', examples: [null] })),
    decisions: Type.Array(
      Type.Object({
        id: Id('The decision.'),
        decision: Type.Enum(['approve', 'reject'], { description: 'What was decided.', examples: ['approve'] }),
        user_id: Id('Who decided.'),
        user_name: nullable(
          Type.String({ description: 'What they are called; null of an application.', examples: ['Sam Ortega'] }),
        ),
        on_behalf_of: nullable(Id('In whose place, where it was delegated.')),
        on_behalf_of_name: nullable(Type.String({ description: 'What they are called.', examples: [null] })),
        note: nullable(Type.String({ description: 'The note, or the reason.', examples: ['Checked'] })),
        created_at: Time('When.'),
        ended_at: nullable(
          Time(
            'Since when it does not count any more: the bill has changed since, or another decision took its place.',
          ),
        ),
      }),
      { description: 'All decisions about it, the newest first.' },
    ),
  },
  { $id: 'BillApprovals', description: 'What a bill needs to be approved, and what was decided about it.' },
)

export type Decision = 'approve' | 'reject'

/** A rule that is about a bill. */
export type Need = {
  id: string
  name: string
  users: string[] | null
  names: string[] | null
  role: string | null
  needed: number
  given: number
}

/** What is known of a bill and of what the caller has to do with it. */
export type Facts = {
  id: string
  revision: number
  status_id: string
  is_voided: boolean
  approval_status: (typeof approvalStatuses)[number]
  content: string
  rules: Need[]
  given: number
  is_own: boolean
  own_decision: Decision | null
}

/** Who decides: their role, and those in whose place they may. */
export type Decider = { id: string; role: string | null; delegators: { id: string; role: string }[] }

/** The rules for which a decision of this person counts, and in whose place it is given; or why it may not be given. */
export function decide(
  facts: Facts,
  decider: Decider,
  decision: Decision,
): { rule_ids: string[]; on_behalf_of: string | null } {
  requireOpen(facts, decision)
  if (facts.is_own)
    throw forbidden(
      'own_entry',
      'You entered or changed this bill, and the organization does not let people approve what they entered.',
    )
  if (facts.own_decision === decision)
    throw conflict(
      'already_decided',
      decision === 'approve'
        ? 'You have approved this bill. Another person has to approve it too.'
        : 'You have rejected this bill.',
    )
  const own = facts.rules.filter((rule) => mayFor(rule, decider))
  const [other] = decider.delegators.filter((one) =>
    facts.rules.some((rule) => !own.includes(rule) && mayFor(rule, one)),
  )
  const delegated = other ? facts.rules.filter((rule) => mayFor(rule, other)) : []
  const counted = [...new Set([...own, ...delegated])]
  if (facts.rules.length > 0 && counted.length === 0)
    throw forbidden(
      'not_an_approver',
      `This bill is approved by others: ${facts.rules.map((rule) => `"${rule.name}"`).join(', ')} does not name you.`,
    )
  return { rule_ids: counted.map(({ id }) => id), on_behalf_of: own.length === 0 ? (other?.id ?? null) : null }
}

function requireOpen({ status_id, is_voided, approval_status }: Facts, decision: Decision): void {
  if (is_voided) throw conflict('is_voided', 'This bill was voided, so it cannot change any more.')
  if (status_id === 'draft') throw conflict('is_draft', 'This bill is a draft. It can be approved once it is saved.')
  if (status_id === 'paid') throw conflict('already_decided', 'This bill is paid, so there is nothing left to decide.')
  if (approval_status === 'not_needed') throw conflict('approval_not_needed', 'This bill needs no approval.')
  if (approval_status === 'approved' && decision === 'approve')
    throw conflict('already_decided', 'This bill is approved already.')
}

function mayFor({ users, role }: Need, one: { id: string; role: string | null }): boolean {
  if (users) return users.includes(one.id)
  return role === null || role === one.role
}

export function refusalOrNull(work: () => unknown): Refusal | null {
  try {
    work()
    return null
  } catch (error) {
    return error as Refusal
  }
}
