import assert from 'node:assert/strict'

export type Part = { document: string; amount: number }

/** What one request asks for, and what it was answered with where that names new records. Credits are documents here too: what is applied of them is paid. */
export type Operation =
  | { do: 'pay'; document: string; amount?: number }
  | { do: 'issue'; parts: Part[]; amount: number }
  | { do: 'issue oldest'; amount: number }
  | { do: 'draft payment'; payment: string; amount: number }
  | { do: 'delete payment'; payment: string }
  | { do: 'allocate'; payment: string; parts: Part[] }
  | { do: 'void payment'; payment: string }
  /** Without an amount all that is left. */
  | { do: 'refund'; payment: string; refund: string; amount?: number }
  | { do: 'take out'; payment: string; allocation: string }
  | { do: 'apply'; credit: string; parts: Part[] }
  | { do: 'take back'; credit: string; allocation: string }
  | { do: 'reopen'; document: string }
  | { do: 'edit'; document: string; total: number }
  | { do: 'void'; document: string }
  | { do: 'correct'; document: string; copy: string }
  | { do: 'delete'; document: string }
  | { do: 'create'; document: string; noun: Noun; total: number }
  | { do: 'save'; document: string }
  | { do: 'gather'; statement: string; bills: string[] }
  | { do: 'save statement' | 'pay statement' | 'reopen statement' | 'void statement'; statement: string }
  /** What changes no amount that is modelled: a payment that cleared, a rate, the price of a document in the home currency. */
  | { do: 'nothing of money' }

export type Noun = 'bill' | 'invoice' | 'credit'
export type Document = {
  noun: Noun
  status: string
  unpaid: string
  total: number
  paid: number
  voided: boolean
  statement: string | null
  applied: Allocation[]
}
export type Allocation = { id: string; document: string; amount: number }
/** `paidAt` is known once the payment was seen: it never changes. */
export type Payment = {
  amount: number
  method: string
  voided: boolean
  allocations: Allocation[]
  refundOf: string | null
  paidAt?: unknown
}
export type Statement = { status: string; bills: string[]; voidedAt: number | null }

/** What a request left in the history: its payments with what they settle, and its new allocations of credits. */
export type Traces = { payments: { id: string; allocations: Allocation[] }[]; applied: Allocation[] }

export function newDocument(noun: Noun, status: string, total: number): Document {
  return { noun, status, unpaid: '', total, paid: 0, voided: false, statement: null, applied: [] }
}

/** The rules of money in their plainest form: one operation after the other, no database. A request that was acknowledged must be possible here. */
export class Model {
  readonly documents = new Map<string, Document>()
  readonly payments = new Map<string, Payment>()
  readonly statements = new Map<string, Statement>()
  /** The rates to the home currency of documents past draft. */
  private readonly rates = new Map<string, unknown>()

  /** A rate that came late is taken by reprice alone. */
  seeRate(
    id: string,
    { status_id, exchange_rate }: { status_id?: unknown; exchange_rate?: unknown },
    isRepriced: boolean,
  ): void {
    if (this.rates.get(id) === null && !isRepriced)
      assert.equal(exchange_rate, null, `${id} has no rate until it is repriced`)
    if (status_id === 'draft') this.rates.delete(id)
    else this.rates.set(id, exchange_rate)
  }

  apply(operation: Operation, traces: Traces): void {
    switch (operation.do) {
      case 'create':
        this.documents.set(operation.document, newDocument(operation.noun, 'draft', operation.total))
        return
      case 'save':
        this.document(operation.document).status = 'saved'
        return
      case 'pay': {
        const { document, amount = this.due(document) } = operation
        const made = this.onlyPayment(traces, [{ document, amount }])
        this.issue(made, amount, 'recorded')
        return
      }
      case 'issue':
        this.issue(this.onlyPayment(traces, operation.parts), operation.amount, 'wire')
        return
      case 'issue oldest':
        assert.equal(traces.payments.length, 1)
        this.issue(traces.payments[0] as Traces['payments'][number], operation.amount, 'wire')
        return
      case 'draft payment':
        this.payments.set(operation.payment, {
          amount: operation.amount,
          method: 'wire',
          voided: false,
          allocations: [],
          refundOf: null,
        })
        return
      case 'delete payment':
        assert.deepEqual(this.payment(operation.payment).allocations, [])
        this.payments.delete(operation.payment)
        return
      case 'allocate': {
        const payment = this.payment(operation.payment)
        assert.equal(payment.voided, false)
        const known = new Set(payment.allocations.map(({ id }) => id))
        const added = traces.payments[0]?.allocations.filter(({ id }) => !known.has(id)) ?? []
        assert.deepEqual(asParts(added), asParts(operation.parts))
        for (const one of added) this.settle(one.document, one.amount)
        payment.allocations.push(...added)
        assert.ok(this.left(operation.payment) >= 0, 'no more is allocated than there is')
        return
      }
      case 'refund': {
        const { payment, refund, amount = this.left(payment) } = operation
        const { voided, refundOf } = this.payment(payment)
        assert.deepEqual([voided, refundOf], [false, null])
        this.payments.set(refund, { amount, method: 'wire', voided: false, allocations: [], refundOf: payment })
        assert.ok(amount > 0 && this.left(payment) >= 0, 'no more is paid back than is left')
        return
      }
      case 'void payment':
        this.void(operation.payment)
        return
      case 'take out': {
        const payment = this.payment(operation.payment)
        const ended = payment.allocations.find(({ id }) => id === operation.allocation)
        assert.ok(ended && !payment.voided)
        payment.allocations = payment.allocations.filter((one) => one !== ended)
        this.settle(ended.document, -ended.amount)
        return
      }
      case 'apply': {
        assert.deepEqual(asParts(traces.applied), asParts(operation.parts))
        for (const one of traces.applied) {
          this.settle(one.document, one.amount)
          this.settle(operation.credit, one.amount)
          this.document(operation.credit).applied.push(one)
        }
        return
      }
      case 'take back': {
        const credit = this.document(operation.credit)
        const ended = credit.applied.find(({ id }) => id === operation.allocation)
        assert.ok(ended)
        credit.applied = credit.applied.filter((one) => one !== ended)
        this.settle(operation.credit, -ended.amount)
        this.settle(ended.document, -ended.amount)
        return
      }
      case 'reopen':
        assert.notEqual(
          this.statementOf(operation.document)?.status,
          'paid',
          'what a statement has paid is reopened with it',
        )
        this.reopen([operation.document])
        return
      case 'edit': {
        const document = this.document(operation.document)
        assert.ok(document.status !== 'paid' && document.paid <= operation.total)
        if (document.total !== operation.total && document.status === 'sent') document.status = 'edited'
        document.total = operation.total
        if (document.paid > 0 && document.paid === document.total)
          Object.assign(document, { status: 'paid', unpaid: document.status })
        return
      }
      case 'void':
        this.free(operation.document).voided = true
        return
      case 'correct': {
        const document = this.free(operation.document)
        document.voided = true
        this.documents.set(operation.copy, newDocument(document.noun, 'draft', document.total))
        return
      }
      case 'delete':
        assert.equal(this.document(operation.document).status, 'draft')
        this.documents.delete(operation.document)
        return
      case 'gather':
        for (const id of operation.bills) {
          const bill = this.document(id)
          assert.deepEqual(
            [bill.noun, bill.statement, bill.status === 'draft', bill.status === 'paid'],
            ['bill', null, false, false],
          )
          bill.statement = operation.statement
        }
        this.statements.set(operation.statement, { status: 'draft', bills: operation.bills, voidedAt: null })
        return
      case 'save statement':
        this.statement(operation.statement).status = 'saved'
        return
      case 'pay statement': {
        const statement = this.statement(operation.statement)
        assert.ok(['saved', 'edited'].includes(statement.status))
        statement.status = 'paid'
        const owed = statement.bills
          .filter((id) => this.document(id).status !== 'paid')
          .map((document) => ({ document, amount: this.due(document) }))
        if (owed.length > 0) this.issue(this.onlyPayment(traces, owed), sumOf(owed), 'recorded')
        else assert.deepEqual(traces.payments, [])
        return
      }
      case 'reopen statement': {
        const statement = this.statement(operation.statement)
        assert.equal(statement.status, 'paid')
        statement.status = 'edited'
        this.reopenTogether(statement.bills)
        return
      }
      case 'void statement': {
        const statement = this.statement(operation.statement)
        assert.ok(statement.status !== 'paid')
        statement.voidedAt = this.totalOf(statement)
        for (const id of statement.bills) this.document(id).statement = null
        return
      }
      case 'nothing of money':
        return
    }
  }

  due(id: string): number {
    const { total, paid } = this.document(id)
    return total - paid
  }

  /** What of a payment neither settles documents nor was paid back: of a refund, nothing. */
  left(id: string): number {
    const { amount, voided, allocations, refundOf } = this.payment(id)
    return voided || refundOf !== null ? 0 : amount - sumOf(allocations) - this.refunded(id)
  }

  refunded(id: string): number {
    return sumOf([...this.payments.values()].filter(({ refundOf, voided }) => refundOf === id && !voided))
  }

  totalOf({ bills, voidedAt }: Statement): number {
    return voidedAt ?? bills.reduce((sum, id) => sum + this.document(id).total, 0)
  }

  private document(id: string): Document {
    const document = this.documents.get(id)
    assert.ok(document && !document.voided, `${id} is there and not voided`)
    return document
  }

  /** A document that can be voided. */
  private free(id: string): Document {
    const document = this.document(id)
    assert.deepEqual([document.paid, document.status === 'draft', document.statement], [0, false, null])
    return document
  }

  private payment(id: string): Payment {
    const payment = this.payments.get(id)
    assert.ok(payment, `the payment ${id} is there`)
    return payment
  }

  private statement(id: string): Statement {
    const statement = this.statements.get(id)
    assert.ok(statement && statement.voidedAt === null, `the statement ${id} is there and not voided`)
    return statement
  }

  private statementOf(id: string): Statement | undefined {
    return this.statements.get(this.document(id).statement ?? '')
  }

  private onlyPayment({ payments }: Traces, parts: readonly Part[]): Traces['payments'][number] {
    const [made, ...more] = payments
    assert.deepEqual([asParts(made?.allocations ?? []), more.length], [asParts(parts), 0])
    return made as Traces['payments'][number]
  }

  private issue({ id, allocations }: Traces['payments'][number], amount: number, method: string): void {
    assert.ok(sumOf(allocations) <= amount, 'no more is allocated than there is')
    for (const one of allocations) this.settle(one.document, one.amount)
    this.payments.set(id, { amount, method, voided: false, allocations: [...allocations], refundOf: null })
  }

  private void(id: string): void {
    const payment = this.payment(id)
    assert.equal(payment.voided, false)
    assert.equal(this.refunded(id), 0, 'what was paid back is not voided')
    for (const one of payment.allocations) this.settle(one.document, -one.amount)
    Object.assign(payment, { voided: true, allocations: [] })
  }

  private reopen(ids: readonly string[]): void {
    for (const id of ids) assert.equal(this.document(id).status, 'paid')
    for (const [id, { amount, allocations, method, voided }] of this.payments)
      if (!voided && allocations.some(({ document }) => ids.includes(document))) {
        assert.deepEqual(
          [method, sumOf(allocations)],
          ['recorded', amount],
          'reopening undoes what was recorded, and no money on account',
        )
        assert.ok(
          allocations.every(({ document }) => ids.includes(document)),
          'and nothing of other documents',
        )
        this.void(id)
      }
    for (const id of ids) {
      assert.equal(this.document(id).paid, 0, 'nothing else may have paid it')
      this.document(id).status = 'edited'
    }
  }

  /** With a statement: what else has paid a bill stays. */
  private reopenTogether(ids: readonly string[]): void {
    for (const id of ids) assert.equal(this.document(id).status, 'paid')
    const takenBack = [...this.payments].filter(
      ([, { amount, allocations, method, voided }]) =>
        !voided &&
        method === 'recorded' &&
        sumOf(allocations) === amount &&
        allocations.length > 0 &&
        allocations.every(({ document }) => ids.includes(document)),
    )
    const reopened = new Set(takenBack.flatMap(([, { allocations }]) => allocations.map(({ document }) => document)))
    for (const [id] of takenBack) this.void(id)
    for (const id of reopened) this.document(id).status = 'edited'
  }

  private settle(id: string, amount: number): void {
    const document = this.document(id)
    assert.notEqual(document.status, 'draft')
    if (amount < 0) assert.notEqual(this.statementOf(id)?.status, 'paid', 'what a statement has paid is undone with it')
    document.paid += amount
    assert.ok(document.paid >= 0 && document.paid <= document.total, `${document.paid} of ${document.total} is paid`)
    if (document.paid === document.total) Object.assign(document, { status: 'paid', unpaid: document.status })
    else if (document.status === 'paid') document.status = document.unpaid
  }
}

function asParts(parts: readonly Part[]): string[] {
  return parts.map(({ document, amount }) => `${document} ${amount}`).sort()
}

function sumOf(parts: readonly { amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
