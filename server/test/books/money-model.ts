import assert from 'node:assert/strict'

/** What one request asks for, and what it was answered with where that names new records. */
export type Operation =
  | { do: 'pay'; document: string; amount?: number }
  | { do: 'issue'; parts: { document: string; amount: number }[]; amount: number }
  | { do: 'issue oldest'; amount: number }
  | { do: 'void payment'; payment: string }
  | { do: 'take out'; payment: string; allocation: string }
  | { do: 'apply'; credit: string; parts: { document: string; amount: number }[] }
  | { do: 'take back'; credit: string; allocation: string }
  | { do: 'reopen'; document: string }
  | { do: 'edit'; document: string; total: number }
  | { do: 'void'; document: string }
  | { do: 'correct'; document: string; copy: string }
  | { do: 'delete'; document: string }
  | { do: 'create'; document: string; total: number }
  | { do: 'save'; document: string }

export type Document = { status: string; unpaid: string; total: number; paid: number; voided: boolean }
export type Allocation = { id: string; document: string; amount: number }
export type Payment = { amount: number; method: string; voided: boolean; allocations: Allocation[] }
export type Credit = { total: number; applied: number; status: string; allocations: Allocation[] }

/** What a request left in the history: its new payments with what they settle, and its new allocations of credits. */
export type Traces = { payments: { id: string; allocations: Allocation[] }[]; applied: Allocation[] }

/** The rules of money in their plainest form: one operation after the other, no database. A request that was acknowledged must be possible here. */
export class Model {
  readonly documents = new Map<string, Document>()
  readonly payments = new Map<string, Payment>()
  readonly credits = new Map<string, Credit>()

  apply(operation: Operation, traces: Traces): void {
    switch (operation.do) {
      case 'create':
        this.documents.set(operation.document, { status: 'draft', unpaid: '', total: operation.total, paid: 0, voided: false })
        return
      case 'save':
        this.document(operation.document).status = 'saved'
        return
      case 'pay': {
        const { document, amount = this.due(document) } = operation
        const [made, ...more] = traces.payments
        assert.deepEqual([made?.allocations.map(({ document, amount }) => [document, amount]), more.length], [[[document, amount]], 0])
        this.issue(made as Traces['payments'][number], amount, 'recorded')
        return
      }
      case 'issue': {
        const [made, ...more] = traces.payments
        assert.deepEqual(
          [made?.allocations.map(({ document, amount }) => [document, amount]).sort(), more.length],
          [operation.parts.map(({ document, amount }) => [document, amount]).sort(), 0],
        )
        this.issue(made as Traces['payments'][number], operation.amount, 'wire')
        return
      }
      case 'issue oldest':
        assert.equal(traces.payments.length, 1)
        this.issue(traces.payments[0] as Traces['payments'][number], operation.amount, 'wire')
        return
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
        const credit = this.credits.get(operation.credit) as Credit
        assert.deepEqual(
          traces.applied.map(({ document, amount }) => [document, amount]).sort(),
          operation.parts.map(({ document, amount }) => [document, amount]).sort(),
        )
        for (const one of traces.applied) {
          this.settle(one.document, one.amount)
          credit.allocations.push(one)
          credit.applied += one.amount
        }
        assert.ok(credit.applied <= credit.total)
        if (credit.applied === credit.total) credit.status = 'paid'
        return
      }
      case 'take back': {
        const credit = this.credits.get(operation.credit) as Credit
        const ended = credit.allocations.find(({ id }) => id === operation.allocation)
        assert.ok(ended)
        credit.allocations = credit.allocations.filter((one) => one !== ended)
        credit.applied -= ended.amount
        credit.status = 'saved'
        this.settle(ended.document, -ended.amount)
        return
      }
      case 'reopen': {
        const document = this.document(operation.document)
        assert.equal(document.status, 'paid')
        for (const [id, { allocations, method, voided }] of this.payments)
          if (!voided && allocations.some((one) => one.document === operation.document)) {
            assert.deepEqual([method, allocations.length], ['recorded', 1], 'reopening undoes what was recorded for this document alone')
            this.void(id)
          }
        assert.equal(document.paid, 0, 'nothing else may have paid it')
        document.status = 'edited'
        return
      }
      case 'edit': {
        const document = this.document(operation.document)
        assert.ok(document.status !== 'paid' && document.paid <= operation.total)
        if (document.total !== operation.total && document.status === 'sent') document.status = 'edited'
        document.total = operation.total
        if (document.paid > 0 && document.paid === document.total) Object.assign(document, { status: 'paid', unpaid: document.status })
        return
      }
      case 'void':
        assert.deepEqual([this.document(operation.document).paid, this.document(operation.document).status === 'draft'], [0, false])
        this.document(operation.document).voided = true
        return
      case 'correct': {
        const document = this.document(operation.document)
        assert.deepEqual([document.paid, document.status === 'draft'], [0, false])
        document.voided = true
        this.documents.set(operation.copy, { status: 'draft', unpaid: '', total: document.total, paid: 0, voided: false })
        return
      }
      case 'delete':
        assert.equal(this.document(operation.document).status, 'draft')
        this.documents.delete(operation.document)
        return
    }
  }

  due(id: string): number {
    const { total, paid } = this.document(id)
    return total - paid
  }

  private document(id: string): Document {
    const document = this.documents.get(id)
    assert.ok(document && !document.voided, `${id} is there and not voided`)
    return document
  }

  private payment(id: string): Payment {
    const payment = this.payments.get(id)
    assert.ok(payment, `the payment ${id} is there`)
    return payment
  }

  private issue({ id, allocations }: Traces['payments'][number], amount: number, method: string): void {
    assert.ok(allocations.reduce((total, one) => total + one.amount, 0) <= amount, 'no more is allocated than there is')
    for (const one of allocations) this.settle(one.document, one.amount)
    this.payments.set(id, { amount, method, voided: false, allocations: [...allocations] })
  }

  private void(id: string): void {
    const payment = this.payment(id)
    assert.equal(payment.voided, false)
    for (const one of payment.allocations) this.settle(one.document, -one.amount)
    Object.assign(payment, { voided: true, allocations: [] })
  }

  private settle(id: string, amount: number): void {
    const document = this.document(id)
    assert.notEqual(document.status, 'draft')
    document.paid += amount
    assert.ok(document.paid >= 0 && document.paid <= document.total, `${document.paid} of ${document.total} is paid`)
    if (document.paid === document.total) Object.assign(document, { status: 'paid', unpaid: document.status })
    else if (document.status === 'paid') document.status = document.unpaid
  }
}
