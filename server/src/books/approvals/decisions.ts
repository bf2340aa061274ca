import { listActorsOfUser } from '../../identity/applications/makers.ts'
import { actorId } from '../../platform/access/acting/acting.ts'
import { personRequired } from '../../platform/access/roles.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { notFound, Refusal } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import { outcomeOr } from '../../platform/core/schema/rows.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { refusalsOfMissing } from '../../platform/files/rules/required.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { recordOf } from '../documents/store/history.ts'
import { readBack } from '../documents/writing/actions.ts'
import { type LockedDocument, lockExpected, lockWithParents, raiseRevisions } from '../documents/writing/locks.ts'
import { bills } from '../kinds/kinds.ts'
import { findDecider, findDecisions, insertDecisions, listFacts, type NewDecision } from './decisions-store.ts'
import { approving } from './judging/judging.ts'
import { type Decider, type Decision, decide, type Facts, type Need, refusalOrNull } from './rules/model.ts'

const kind = bills as unknown as Kind

/** What came of a decision about one bill: its approval now, or why it could not be given. */
export type DecisionOutcome =
  | { id: string; revision: number; approval_status: string }
  | { id: string; refusal: Refusal }

export function decideBill(
  ctx: Context,
  reference: Reference,
  decision: Decision,
  note: string | null,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const locked = await lockExpected(ctx, kind, reference, expected)
    const [decided] = await decideLocked(ctx, [locked], decision, note)
    if (decided && 'refusal' in decided) throw decided.refusal
    return readBack(ctx, kind, locked.document.id)
  })
}

/** Approves what of these bills the caller may approve; each on its own. */
export function approveBills(ctx: Context, ids: readonly string[], note: string | null): Promise<DecisionOutcome[]> {
  return transaction(ctx, async (ctx) => {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
    const locked = await lockWithParents(ctx, kind, wanted)
    const decided = new Map((await decideLocked(ctx, locked, 'approve', note)).map((one) => [one.id, one]))
    return wanted.map((id) => decided.get(id) ?? { id, refusal: notFound('bill', id) })
  })
}

/** What a bill needs, what was decided, and whether the caller may decide. */
export async function approvalsOf(ctx: Context, id: string): Promise<string> {
  const caller = await actorId(ctx)
  const [[facts], decider, decisions] = await Promise.all([
    listFacts(ctx, [id], caller, await listActorsOfUser(ctx, caller)),
    findDecider(ctx, caller),
    findDecisions(ctx, id),
  ])
  if (!facts) throw notFound('bill', id)
  const { approval_status, rules, given } = facts
  const needs =
    approval_status === 'not_needed'
      ? []
      : rules.length > 0
        ? rules.map(needOf)
        : [needOf({ id: null, name: null, users: null, names: null, role: null, needed: 1, given })]
  const why = refusalOrNull(() => requireAble(ctx, facts, decider))
  const rest = JSON.stringify({
    approval_status,
    needs,
    can_decide: why === null,
    cannot_because: why?.message ?? null,
  })
  return `${rest.slice(0, -1)},"decisions":${decisions}}`
}

function requireAble(ctx: Context, facts: Facts, decider: Decider): void {
  if (ctx.actor.type === 'application') throw personRequired()
  if (ctx.rights && !ctx.rights.has('approve'))
    throw new Refusal('forbidden', 'right_required', 'Your role does not allow to approve.')
  decide(facts, decider, 'approve')
}

/** A rule, or what is needed where there is none. */
function needOf({
  id,
  name,
  users,
  names,
  role,
  needed,
  given,
}: Need | (Omit<Need, 'id' | 'name'> & { id: null; name: null })) {
  return {
    rule_id: id,
    name,
    approver_user_ids: users,
    approver_names: names,
    approver_role: role,
    needed_approvals: needed,
    given_approvals: given,
  }
}

async function decideLocked(
  ctx: Context,
  locked: readonly LockedDocument[],
  decision: Decision,
  note: string | null,
): Promise<DecisionOutcome[]> {
  if (ctx.actor.type === 'application') throw personRequired()
  const ids = locked.map(({ document }) => document.id)
  const caller = await actorId(ctx)
  // First as the rules are now: they may have changed since the bill was written.
  await approving.judge(ctx, ids)
  const names = await listActorsOfUser(ctx, caller)
  const [all, decider] = await Promise.all([listFacts(ctx, ids, caller, names), findDecider(ctx, caller)])
  const incomplete = decision === 'approve' ? await refusalsOfMissing(ctx, 'approve', ids) : new Map<string, Refusal>()
  const planOf = (facts: Facts) => {
    const plan = outcomeOr(() => decide(facts, decider, decision))
    return plan instanceof Refusal ? plan : (incomplete.get(facts.id) ?? plan)
  }
  const planned = all.map((facts) => ({ facts, plan: planOf(facts) }))
  const good = planned.flatMap(({ facts, plan }): NewDecision[] =>
    plan instanceof Refusal ? [] : [{ bill_id: facts.id, content: facts.content, ...plan }],
  )
  if (good.length > 0) await write(ctx, all, good, { decision, user_id: caller, note })
  const after = new Map((await listFacts(ctx, ids, caller, names)).map((facts) => [facts.id, facts]))
  return planned.map(({ facts: { id }, plan }) => {
    const { revision, approval_status } = after.get(id) as Facts
    return plan instanceof Refusal ? { id, refusal: plan } : { id, revision, approval_status }
  })
}

async function write(
  ctx: Context,
  all: readonly Facts[],
  decisions: readonly NewDecision[],
  given: { decision: Decision; user_id: string; note: string | null },
): Promise<void> {
  const ids = decisions.map(({ bill_id }) => bill_id)
  await insertDecisions(ctx, decisions, given)
  await approving.judge(ctx, ids)
  await raiseRevisions(ctx, kind, ids)
  const now = new Map(
    (await listFacts(ctx, ids, given.user_id, [])).map(({ id, approval_status }) => [id, approval_status]),
  )
  const before = new Map(all.map(({ id, approval_status }) => [id, approval_status]))
  await recordOf(
    ctx,
    kind,
    decisions.map(({ bill_id: id, on_behalf_of }) => ({
      type: `bill.${verbs[now.get(id) ?? 'pending'] ?? 'approval_given'}` as const,
      id,
      previous: { approval_status: before.get(id) },
      overrides: { note: given.note, on_behalf_of },
    })),
  )
}

const verbs: Readonly<Record<string, string>> = { approved: 'approved', rejected: 'rejected' }
