import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { allowedMoves, statuses } from '../../src/books/documents/model/fields/lifecycle.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { runs } from '../depth.ts'
import { sharedService } from '../service.ts'
import { bills as billsPath, faultsOf, openBooks, type Row, statements as statementsPath, terms } from './books.ts'
import {
  type Action,
  type Asked,
  big,
  billDate,
  type Command,
  command,
  leadsTo,
  type Match,
  opening,
} from './commands.ts'
import * as model from './model.ts'

const service = await sharedService()

const organizations: string[] = []
let commandsRun = 0
const answered: { [status: number]: number } = {}

/** One organization and its model, both of which do the commands. */
async function runAll(commands: readonly Command[]): Promise<void> {
  const books = await openBooks(service)
  organizations.push(books.org)
  const term = await books.make(terms, { name: 'Net 10', number_of_days: 10 })
  const there: model.Books = { bills: [], statements: [], lastBill: 0, lastStatement: 0, days: 10, billDate }
  const billAt = (index: number) => there.bills[index % Math.max(1, there.bills.length)]
  const statementAt = (index: number) => there.statements[index % Math.max(1, there.statements.length)]

  function wire({
    status,
    reason,
    paidOn,
    currency,
    partner,
    term: named,
    due,
    notes,
    qb,
    taxed,
    sub,
    tax,
  }: model.Change) {
    const sent = {
      status_id: status,
      reason,
      paid_at: paidOn,
      currency_id: currency,
      partner_carrier_id: partner,
      due_date: due,
      notes,
      qb_external_id: qb,
      is_tax_on: taxed,
    }
    return {
      ...sent,
      pay_term_id: named === undefined ? undefined : named && term.id,
      sub_total_amount: sub,
      tax_amount: tax,
    }
  }

  const headers = (match: Match, revision: number): { [name: string]: string } =>
    match === 'none' ? {} : { 'if-match': `"${match === 'right' ? revision : revision + 1000}"` }

  function shown(bill: model.Bill) {
    const {
      id,
      status: status_id,
      revision,
      currency: currency_id,
      partner: partner_carrier_id,
      due: due_date,
      notes,
      qb: qb_external_id,
      taxed: is_tax_on,
    } = bill
    return {
      ...{ id, status_id, revision, currency_id, partner_carrier_id, due_date, notes, qb_external_id, is_tax_on },
      ...{
        pay_term_id: bill.term && term.id,
        sub_total_amount: bill.sub,
        tax_amount: bill.tax,
        kept_tax_amount: bill.kept || null,
        total_amount: model.totalOf(bill),
      },
      ...{
        number: bill.number && `BILL-${String(bill.number).padStart(6, '0')}`,
        consolidated_bill_id: bill.statement?.id ?? null,
      },
      ...{ was_sent: bill.sent, was_paid: bill.status === 'paid', available_actions: model.actionsOf(there, bill) },
      ...(bill.paidAt !== 'then' && { paid_at: bill.paidAt }),
    }
  }

  function shownStatement(statement: model.Statement) {
    const on = model.billsOn(there, statement)
    const {
      id,
      status: status_id,
      revision,
      currency: currency_id,
      partner: partner_carrier_id,
      notes,
      qb: qb_external_id,
    } = statement
    return {
      ...{ id, status_id, revision, currency_id, partner_carrier_id, notes, qb_external_id },
      ...{
        number: statement.number && `STMT-${String(statement.number).padStart(6, '0')}`,
        bill_ids: on.map((bill) => bill.id).sort(),
        bill_count: on.length,
      },
      sub_total_amount: Number(model.sumOf(on.map(({ sub }) => sub))),
      tax_amount: Number(model.sumOf(on.map(({ tax }) => tax))),
      total_amount: Number(model.sumOf(on.flatMap(({ sub, tax }) => [sub, tax]))),
      ...{
        was_sent: statement.sent,
        was_paid: statement.status === 'paid',
        available_actions: model.actionsOf(there, statement),
      },
    }
  }

  /** Of a record on the wire, what the model speaks of. */
  function seen(record: Row, like: object): object {
    const sorted = {
      available_actions: [...record.available_actions].sort(),
      ...(record.bill_ids ? { bill_ids: [...(record.bill_ids as string[])].sort() } : {}),
    }
    const plain = { ...record, ...sorted, was_sent: record.sent_at !== null, was_paid: record.paid_at !== null }
    return Object.fromEntries(Object.keys(like).map((field) => [field, plain[field as keyof typeof plain]]))
  }

  function named(asked: Asked, record: model.Bill | model.Statement): Action {
    if (typeof asked === 'string') return asked
    const possible = model.actionsOf(there, record).filter((name): name is Action => name in leadsTo)
    return possible[asked % Math.max(1, possible.length)] ?? 'save'
  }

  function agree(
    answer: LightMyRequestResponse,
    refusals: model.Refusals,
    success: number,
    description: string,
  ): boolean {
    commandsRun += 1
    answered[answer.statusCode] = (answered[answer.statusCode] ?? 0) + 1
    const right = refusals.length > 0 ? refusals : [success]
    assert.ok(
      right.includes(answer.statusCode),
      `${description}: expected ${right}, got ${answer.statusCode} ${answer.body}`,
    )
    return refusals.length === 0
  }

  /** A stale If-Match is refused before anything else is looked at. */
  function guarded(match: Match, record: { gone: boolean }, otherwise: () => model.Refusals): model.Refusals {
    return match === 'stale' && !record.gone ? [412] : otherwise()
  }

  async function run(step: Command, description: string): Promise<void> {
    const { bills, statements } = there
    if (step.do === 'create') {
      const totals = step.lines.map(({ unit_price, quantity }) => BigInt(unit_price) * BigInt(quantity))
      const {
        currency = null,
        partner = null,
        term: named = null,
        due = null,
        notes = null,
        qb = null,
        taxed = false,
      } = step.change
      const fresh: model.Bill = {
        ...{
          id: '',
          gone: false,
          status: 'draft',
          number: null,
          revision: 1,
          currency,
          partner,
          term: named,
          due,
          notes,
          qb,
          taxed,
          sent: false,
          paidAt: null,
          statement: null,
        },
        ...{ sub: step.change.sub ?? 0, tax: taxed ? (step.change.tax ?? 0) : 0, kept: 0, lines: [] },
      }
      const tooLarge = (sum: bigint) => sum > BigInt(big) || sum < -BigInt(big)
      const refusals: model.Refusals = []
      if (step.change.tax && !taxed && step.change.taxed === undefined) refusals.push(400)
      if (totals.some(tooLarge)) refusals.push(400)
      const sub = totals.length > 0 ? model.sumOf(totals.map(Number)) : BigInt(fresh.sub)
      if (tooLarge(sub) || tooLarge(sub + BigInt(fresh.tax))) refusals.push(400)
      const body = { ...wire(step.change), bill_date: billDate, items: step.lines }
      const answer = await books.call('POST', billsPath, body)
      if (!agree(answer, refusals, 201, description)) return
      const { bill, bill_items } = answer.json()
      Object.assign(fresh, {
        id: bill.id,
        sub: Number(sub),
        lines: bill_items.map(({ id, unit_price, quantity }: model.Line) => ({ id, unit_price, quantity })),
      })
      bills.push(fresh)
      return assert.deepEqual(seen(bill, shown(fresh)), shown(fresh), description)
    }
    if (step.do === 'gather') {
      const chosen = [...new Set(step.bills.flatMap((index) => billAt(index) ?? []))]
      // Which statement it becomes is known by its answer; the model wants the name at once.
      const answer = await books.call('POST', statementsPath, { bill_ids: chosen.map(({ id }) => id) })
      const id = answer.statusCode === 201 ? answer.json().consolidated_bill.id : 'none'
      if (!agree(answer, model.gather(there, chosen, id), 201, description)) return
      const made = statements.at(-1) as model.Statement
      return assert.deepEqual(
        seen(answer.json().consolidated_bill, shownStatement(made)),
        shownStatement(made),
        description,
      )
    }
    if ('statement' in step) {
      const statement = statementAt(step.statement)
      if (!statement) return
      const at = `${statementsPath}/${statement.id}`
      const chosen = step.do === 'add' ? [...new Set(step.bills.flatMap((index) => billAt(index) ?? []))] : []
      if (step.do === 'deleteStatement')
        return void agree(await books.call('DELETE', at), model.removeStatement(there, statement), 204, description)
      const [answer, refusals] = await (async (): Promise<[LightMyRequestResponse, model.Refusals]> => {
        if (step.do === 'add') {
          const sent = await books.call('POST', `${at}/bills`, { bill_ids: chosen.map(({ id }) => id) })
          return [sent, model.add(there, statement, chosen)]
        }
        if (step.do === 'voidStatement')
          return [await books.call('POST', `${at}/void`, { reason: 'a reason' }), model.voidStatement(there, statement)]
        if (step.do === 'take') {
          const bill = billAt(step.bill) as model.Bill
          return [await books.call('DELETE', `${at}/bills/${bill.id}`), model.take(there, statement, bill)]
        }
        if (step.do === 'putStatement') {
          const { status, reason, notes, qb } = step.change
          const sent = await books.call(
            'PUT',
            at,
            { status_id: status, reason, notes, qb_external_id: qb },
            headers(step.match, statement.revision),
          )
          return [sent, guarded(step.match, statement, () => model.putStatement(there, statement, step.change))]
        }
        const action = named(step.action, statement)
        const sent = await books.call('POST', `${at}/${action}`, { reason: 'a reason' })
        return [sent, model.putStatement(there, statement, { status: leadsTo[action], reason: 'a reason' })]
      })()
      if (agree(answer, refusals, 200, description))
        assert.deepEqual(
          seen(answer.json().consolidated_bill, shownStatement(statement)),
          shownStatement(statement),
          description,
        )
      return
    }
    const bill = billAt(step.bill)
    if (!bill) return
    const at = `${billsPath}/${bill.id}`
    if (step.do === 'delete') return void agree(await books.call('DELETE', at), model.remove(bill), 204, description)
    if (step.do === 'put' || step.do === 'act') {
      const action = step.do === 'act' ? named(step.action, bill) : 'save'
      const asked: model.Change = step.do === 'put' ? step.change : { status: leadsTo[action], reason: 'a reason' }
      const match = headers(step.match, bill.revision)
      const answer =
        step.do === 'put'
          ? await books.call('PUT', at, wire(asked), match)
          : await books.call('POST', `${at}/${action}`, { reason: 'a reason' }, match)
      const refusals = guarded(step.match, bill, () => model.put(there, bill, asked))
      if (agree(answer, refusals, 200, description))
        assert.deepEqual(seen(answer.json().bill, shown(bill)), shown(bill), description)
      return
    }
    await runOnLines(step, bill, at, description)
  }

  async function runOnLines(
    step: Extract<Command, { do: `${string}Line` | 'reverseLines' }>,
    bill: model.Bill,
    at: string,
    description: string,
  ): Promise<void> {
    const { lines } = bill
    const line = 'line' in step ? lines[step.line] : undefined
    if (step.do === 'addLine') {
      const { unit_price, quantity } = step
      const answer = await books.call('POST', `${at}/items`, { unit_price, quantity })
      const added = { id: answer.statusCode === 201 ? answer.json().bill_item.id : 'none', unit_price, quantity }
      if (agree(answer, model.relined(there, bill, [...lines, added]), 201, description))
        assert.deepEqual(seen(answer.json().bill, shown(bill)), shown(bill), description)
      return
    }
    if (!line && step.do !== 'reverseLines') return
    const reversed = lines.length > 1 ? [...lines].reverse() : null
    const [answer, refusals] =
      step.do === 'changeLine'
        ? [
            await books.call('PUT', `${at}/items/${line?.id}`, { unit_price: step.unit_price }),
            model.relined(
              there,
              bill,
              line?.unit_price === step.unit_price
                ? null
                : lines.map((one) => (one === line ? { ...one, unit_price: step.unit_price } : one)),
            ),
          ]
        : step.do === 'removeLine'
          ? [
              await books.call('DELETE', `${at}/items/${line?.id}`),
              model.relined(
                there,
                bill,
                lines.filter((one) => one !== line),
              ),
            ]
          : [
              await books.call('PUT', `${at}/items/order`, { item_ids: [...lines].reverse().map(({ id }) => id) }),
              model.relined(there, bill, reversed),
            ]
    if (agree(answer, refusals, 200, description))
      assert.deepEqual(seen(answer.json().bill, shown(bill)), shown(bill), description)
  }

  for (const [index, step] of [...opening, ...commands].entries())
    await run(step, `command ${index} ${JSON.stringify(step)}`)

  for (const bill of there.bills.filter(({ gone }) => !gone)) {
    const answer = (await books.get(`${billsPath}/${bill.id}`)).json()
    assert.deepEqual(seen(answer.bill, shown(bill)), shown(bill))
    const lines = answer.bill_items.map(
      ({ id, unit_price, quantity, position }: model.Line & { position: number }) => ({
        id,
        unit_price,
        quantity,
        position,
      }),
    )
    assert.deepEqual(
      lines,
      bill.lines.map((line, place) => ({ ...line, position: place + 1 })),
    )
  }
  for (const statement of there.statements.filter(({ gone }) => !gone))
    assert.deepEqual(
      seen(await books.read(`${statementsPath}/${statement.id}`), shownStatement(statement)),
      shownStatement(statement),
    )
  assert.equal((await books.get(`${billsPath}?limit=0`)).json().total, there.bills.filter(({ gone }) => !gone).length)
  assert.equal(
    (await books.get(`${statementsPath}?limit=0`)).json().total,
    there.statements.filter(({ gone, voided }) => !gone && !voided).length,
  )
}

const actionTo = { saved: 'save', sent: 'send', paid: 'pay', draft: 'draft', edited: 'reopen' }

describe('the books', () => {
  test('behave like their model under thousands of random commands', async (t) => {
    const together = 4
    const enough = Number(process.env.BOOKS_COMMANDS ?? runs(2000))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { minLength: 30, maxLength: 60 }), { minLength: together, maxLength: together }),
        async (runs) => {
          if (commandsRun < enough) await Promise.all(runs.map(runAll))
        },
      ),
      { numRuns: Math.ceil(enough / (30 * together)) },
    )
    assert.ok(commandsRun >= enough, `only ${commandsRun} commands`)
    t.diagnostic(`${commandsRun} commands, answered ${JSON.stringify(answered)}`)
    assert.deepEqual(await faultsOf(service, organizations), [])
  })

  test('what the database offers to be done next is what the rules allow', async () => {
    for (const status_id of statuses)
      for (const sent of [true, false])
        for (const complete of [true, false])
          for (const isBound of [true, false]) {
            const [row] = await service.pool.run(
              sql`select ('[' || substr(next_moves(${status_id}, 'not_needed', ${complete}, not ${sent} and not ${isBound}, not ${isBound}), 2) || ']')::json as actions`,
            )
            const record = { status_id, sent_at: sent ? billDate : null, paid_at: null }
            assert.deepEqual(
              [...(row as { actions: string[] }).actions].sort(),
              allowedMoves(record)
                .filter((to) => (to === 'saved' ? complete : !isBound || (to !== 'draft' && to !== 'edited')))
                .map((to) => actionTo[to])
                .sort(),
              JSON.stringify({ status_id, sent, complete, isBound }),
            )
          }
  })
})
