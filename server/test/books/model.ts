/**
 * The books as decisions 5 and 6 describe them, in plain arrays: no locks, no SQL, nothing shared with the server. Every operation says which
 * refusals would be right; none means that it must succeed, and then the state has changed here as it must have changed there.
 */
export type Status = 'draft' | 'saved' | 'sent' | 'edited' | 'paid'
export type Line = { id: string; unit_price: number; quantity: number }
export type Bill = {
  id: string
  gone: boolean
  status: Status
  number: number | null
  revision: number
  currency: string | null
  partner: string | null
  term: string | null
  due: string | null
  notes: string | null
  qb: string | null
  taxed: boolean
  sub: number
  tax: number
  /** The tax that comes back when tax is switched on again. */
  kept: number
  lines: Line[]
  sent: boolean
  /** When it was paid, or `then` where nobody has said when. */
  paidAt: string | null
  statement: Statement | null
}
export type Statement = {
  id: string
  gone: boolean
  status: Status
  number: number | null
  revision: number
  currency: string
  partner: string | null
  notes: string | null
  qb: string | null
  sent: boolean
  /** The bills that it had when it was voided, as they were then. */
  voided: Bill[] | null
}
export type Change = Partial<
  Pick<Bill, 'currency' | 'partner' | 'term' | 'due' | 'notes' | 'qb' | 'taxed' | 'sub' | 'tax' | 'status'>
> & {
  reason?: string
  paidOn?: string
}
export type Refusals = number[]
export type Books = {
  bills: Bill[]
  statements: Statement[]
  lastBill: number
  lastStatement: number
  days: number
  billDate: string
}

const largest = BigInt(Number.MAX_SAFE_INTEGER)
const next: { [from in Status]: Status[] } = {
  draft: ['saved'],
  saved: ['sent', 'paid', 'draft'],
  sent: ['paid'],
  edited: ['sent', 'paid'],
  paid: ['edited'],
}

export const billsOn = (books: Books, statement: Statement) =>
  statement.voided ?? books.bills.filter((bill) => bill.statement === statement)
export const totalOf = (bill: Bill) => bill.sub + bill.tax
export const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)

function isTooLarge(amounts: readonly number[]): boolean {
  const sum = sumOf(amounts)
  return sum > largest || sum < -largest
}

function sumsTooLarge(bills: readonly Bill[]): boolean {
  return (
    isTooLarge(bills.map(({ sub }) => sub)) ||
    isTooLarge(bills.map(({ tax }) => tax)) ||
    isTooLarge(bills.flatMap(({ sub, tax }) => [sub, tax]))
  )
}

function movable(from: Status, to: Status, sent: boolean): boolean {
  return next[from].includes(to) && (to !== 'draft' || !sent)
}

/** Tries a change on a copy of the bill; the copy is kept when nothing speaks against it. */
function settle(
  books: Books,
  bill: Bill,
  changed: Bill,
  refusals: Refusals,
  { content, moved }: { content: boolean; moved: boolean },
): Refusals {
  if (isTooLarge([changed.sub, changed.tax])) refusals.push(400)
  const { statement } = bill
  if (statement && sumsTooLarge(billsOn(books, statement).map((other) => (other === bill ? changed : other))))
    refusals.push(400)
  if (refusals.length > 0) return refusals
  if (JSON.stringify({ ...bill, statement: null }) === JSON.stringify({ ...changed, statement: null })) return []
  if (moved && bill.status === 'draft') {
    changed.number ??= ++books.lastBill
    if (changed.due === null && changed.term)
      changed.due = new Date(Date.parse(books.billDate) + books.days * 86_400_000).toISOString()
  }
  Object.assign(bill, changed, { revision: bill.revision + 1 })
  if (statement) {
    statement.revision += 1
    if (content && statement.status === 'sent') statement.status = 'edited'
  }
  return []
}

export function put(
  books: Books,
  bill: Bill,
  { status = bill.status, reason, paidOn, sub, tax, ...fields }: Change,
): Refusals {
  if (bill.gone) return [404]
  const refusals: Refusals = []
  const changed = { ...bill, ...fields }
  if (bill.lines.length === 0) changed.sub = sub ?? bill.sub
  if (tax && !changed.taxed && fields.taxed === undefined) refusals.push(400)
  const set = bill.taxed ? bill.tax : bill.kept
  const comesBack = tax === undefined || (tax === 0 && !bill.taxed)
  Object.assign(changed, changed.taxed ? { tax: comesBack ? set : tax, kept: 0 } : { tax: 0, kept: set })
  if (changed.currency !== bill.currency) {
    if (bill.status !== 'draft' && bill.status !== 'saved') refusals.push(409)
    if (bill.status === 'saved' && changed.currency === null) refusals.push(400)
    if ((bill.lines.length > 0 && bill.status === 'saved') || bill.statement) refusals.push(409)
  }
  if (changed.partner !== bill.partner && bill.statement) refusals.push(409)
  const content = (['currency', 'partner', 'term', 'due', 'notes', 'taxed', 'sub', 'tax'] as const).some(
    (field) => changed[field] !== bill[field],
  )
  changed.status = status
  if (status === bill.status || (status === 'edited' && bill.status === 'sent' && content)) {
    if (content && bill.status === 'paid') refusals.push(409)
    if (content && bill.status === 'sent') changed.status = 'edited'
  } else refusals.push(...whyNotMove(bill, status, reason, changed.currency))
  if (changed.status === 'sent') changed.sent = true
  // What is paid is not paid at another time.
  const isPaid = bill.status === 'paid' && changed.status === 'paid'
  if (isPaid && paidOn !== undefined && paidOn !== bill.paidAt) refusals.push(409)
  changed.paidAt = isPaid ? bill.paidAt : changed.status === 'paid' ? (paidOn ?? 'then') : null
  return settle(books, bill, changed, refusals, { content, moved: changed.status !== bill.status })
}

function whyNotMove(bill: Bill, to: Status, reason: string | undefined, currency: string | null): Refusals {
  const refusals: Refusals = []
  if (!movable(bill.status, to, bill.sent)) refusals.push(400)
  if (bill.status === 'paid' && !reason?.trim()) refusals.push(400)
  if (to === 'saved' && currency === null) refusals.push(400)
  if (bill.statement && (to === 'draft' || (bill.status === 'paid' && bill.statement.status === 'paid')))
    refusals.push(409)
  return refusals
}

/** A change of lines; null where it changes nothing. */
export function relined(books: Books, bill: Bill, lines: Line[] | null): Refusals {
  if (bill.gone) return [404]
  if (lines === null) return []
  const refusals: Refusals = bill.status === 'paid' ? [409] : []
  const totals = lines.map(({ unit_price, quantity }) => BigInt(unit_price) * BigInt(quantity))
  if (totals.some((total) => total > largest || total < -largest)) return [...refusals, 400]
  if (isTooLarge(totals.map(Number))) refusals.push(400)
  const changed: Bill = {
    ...bill,
    lines,
    sub: Number(sumOf(totals.map(Number))),
    status: bill.status === 'sent' ? 'edited' : bill.status,
  }
  return settle(books, bill, changed, refusals, { content: true, moved: false })
}

export function remove(bill: Bill): Refusals {
  if (bill.gone) return [404]
  if (bill.status !== 'draft' || bill.number !== null) return [409]
  bill.gone = true
  return []
}

export function actionsOf(books: Books, record: Bill | Statement): string[] {
  if ('voided' in record && record.voided) return []
  const asked: [string, Status][] = [
    ['save', 'saved'],
    ['send', 'sent'],
    ['pay', 'paid'],
    ['draft', 'draft'],
    ['reopen', 'edited'],
  ]
  const possible = asked.filter(([, to]) => {
    if (to === record.status) return false
    if ('lines' in record) return whyNotMove(record, to, 'a reason', record.currency).length === 0
    return whyNotMoveStatement(books, record, to, 'a reason').length === 0
  })
  const isFree = 'lines' in record ? record.statement === null : true
  const besides =
    record.number === null
      ? ['delete']
      : record.status === 'paid' || !isFree
        ? []
        : 'lines' in record
          ? ['void', 'correct']
          : ['void']
  return [...possible.map(([name]) => name), ...besides].sort()
}

function whyNotGather(
  bills: readonly Bill[],
  statement: Pick<Statement, 'currency' | 'partner'>,
  there: readonly Bill[],
): Refusals {
  const refusals: Refusals = []
  for (const bill of bills) {
    if (bill.statement || bill.status === 'draft' || bill.status === 'paid') refusals.push(409)
    if (bill.currency !== statement.currency || bill.partner !== statement.partner) refusals.push(409)
  }
  if (sumsTooLarge([...there, ...bills])) refusals.push(400)
  return refusals
}

export function gather(books: Books, bills: readonly Bill[], id: string): Refusals {
  const [first] = bills
  if (!first || bills.some(({ gone }) => gone)) return [400]
  const statement: Statement = {
    ...{
      id,
      gone: false,
      status: 'draft',
      number: null,
      revision: 1,
      currency: first.currency ?? '',
      partner: first.partner,
      notes: null,
      qb: null,
      sent: false,
      voided: null,
    },
  }
  const refusals = whyNotGather(bills, statement, [])
  if (refusals.length > 0) return refusals
  books.statements.push(statement)
  for (const bill of bills) Object.assign(bill, { statement, revision: bill.revision + 1 })
  return []
}

export function add(books: Books, statement: Statement, bills: readonly Bill[]): Refusals {
  if (statement.gone) return [404]
  if (statement.voided) return [409]
  if (bills.some(({ gone }) => gone)) return [400]
  const fresh = bills.filter((bill) => bill.statement !== statement)
  if (fresh.length === 0) return []
  const refusals = [
    ...(statement.status === 'paid' ? [409] : []),
    ...whyNotGather(fresh, statement, billsOn(books, statement)),
  ]
  if (refusals.length > 0) return refusals
  for (const bill of fresh) Object.assign(bill, { statement, revision: bill.revision + 1 })
  touch(statement)
  return []
}

export function take(books: Books, statement: Statement, bill: Bill): Refusals {
  if (statement.gone) return [404]
  if (statement.voided) return [409]
  if (bill.statement !== statement) return [404]
  if (statement.status === 'paid' || (statement.status !== 'draft' && billsOn(books, statement).length === 1))
    return [409]
  // A bill of less than nothing may be what kept the sum small enough.
  if (sumsTooLarge(billsOn(books, statement).filter((other) => other !== bill))) return [400]
  Object.assign(bill, { statement: null, revision: bill.revision + 1 })
  touch(statement)
  return []
}

function touch(statement: Statement): void {
  statement.revision += 1
  if (statement.status === 'sent') statement.status = 'edited'
}

function whyNotMoveStatement(books: Books, statement: Statement, to: Status, reason: string | undefined): Refusals {
  const refusals: Refusals = []
  if (!movable(statement.status, to, statement.sent)) refusals.push(400)
  if (statement.status === 'paid' && !reason?.trim()) refusals.push(400)
  if (to === 'saved' && billsOn(books, statement).length === 0) refusals.push(409)
  return refusals
}

export function putStatement(
  books: Books,
  statement: Statement,
  { status = statement.status, reason, notes, qb }: Change,
): Refusals {
  if (statement.gone) return [404]
  if (statement.voided) return [409]
  const content = notes !== undefined && notes !== statement.notes
  const byItself = status === statement.status || (status === 'edited' && statement.status === 'sent' && content)
  if (byItself && content && statement.status === 'paid') return [409]
  const refusals = byItself ? [] : whyNotMoveStatement(books, statement, status, reason)
  if (refusals.length > 0) return refusals
  const to = !byItself ? status : content && statement.status === 'sent' ? 'edited' : statement.status
  if (!content && (qb === undefined || qb === statement.qb) && to === statement.status) return []
  if (statement.status === 'draft' && to !== 'draft') statement.number ??= ++books.lastStatement
  if (to !== statement.status && !(to === 'edited' && statement.status === 'sent')) moveBills(books, statement, to)
  Object.assign(statement, {
    ...{ status: to, sent: statement.sent || to === 'sent', revision: statement.revision + 1 },
    ...{ notes: notes === undefined ? statement.notes : notes, qb: qb === undefined ? statement.qb : qb },
  })
  return []
}

function moveBills(books: Books, statement: Statement, to: Status): void {
  const moves: { [to in Status]?: Status[] } = {
    sent: ['saved', 'edited'],
    paid: ['saved', 'sent', 'edited'],
    edited: ['paid'],
  }
  for (const bill of billsOn(books, statement)) {
    if (moves[to]?.includes(bill.status))
      Object.assign(bill, {
        status: to,
        sent: bill.sent || to === 'sent',
        paidAt: to === 'paid' ? 'then' : null,
        revision: bill.revision + 1,
      })
  }
}

export function removeStatement(books: Books, statement: Statement): Refusals {
  if (statement.gone) return [404]
  if (statement.voided || statement.status !== 'draft' || statement.number !== null) return [409]
  for (const bill of billsOn(books, statement)) Object.assign(bill, { statement: null, revision: bill.revision + 1 })
  statement.gone = true
  return []
}

export function voidStatement(books: Books, statement: Statement): Refusals {
  if (statement.gone) return [404]
  if (statement.voided || statement.number === null || statement.status === 'paid') return [409]
  const bills = billsOn(books, statement)
  const had = bills.map((bill) => ({ ...bill }))
  for (const bill of bills) Object.assign(bill, { statement: null, revision: bill.revision + 1 })
  Object.assign(statement, { voided: had, revision: statement.revision + 1 })
  return []
}
