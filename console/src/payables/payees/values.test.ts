import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, errorsIn, versionOf } from './values.ts'

const { values } = versionOf(null)
const typed = {
  ...values.bank_details,
  routing_number: ' 021000021 ',
  account_number: '42',
  iban: 'DE89370400440532013000',
}

test('the bank details that are sent are those that the method asks for', () => {
  assert.deepEqual(contentOf({ method: 'ach', bank_details: typed }, { method: 'ach' }), {
    method: 'ach',
    bank_details: { account_type: 'checking', routing_number: '021000021', account_number: '42' },
  })
  assert.deepEqual(contentOf({ bank_details: typed }, { method: 'check' }), {})
  assert.deepEqual(contentOf({ bank_details: typed }, { method: 'wire' }).bank_details, {
    iban: typed.iban,
    account_number: '42',
    routing_number: '021000021',
  })
  assert.deepEqual(contentOf({ notes: 'x' }, { method: 'ach' }), { notes: 'x' })
})

test('emptied fields are sent as null, and an assignment and quick pay are whole', () => {
  const emptied = {
    remittance_email: ' ',
    quick_pay_days: '',
    quick_pay_percent: '',
    notes: '',
    notice_of_assignment_on: '',
  }
  assert.deepEqual(contentOf(emptied, values), {
    remittance_email: null,
    quick_pay_days: null,
    quick_pay_percent: null,
    notes: null,
    notice_of_assignment_on: null,
  })
  assert.equal(contentOf({ quick_pay_days: '0' }, values).quick_pay_days, 0)
  const wrong = { ...values, name: ' ', method: 'check' as const, factor_payee_id: 'x', quick_pay_days: '2' }
  assert.deepEqual(Object.keys(errorsIn(wrong)), [
    'name',
    'address.address_1',
    'notice_of_assignment_on',
    'quick_pay_percent',
  ])
  assert.deepEqual(errorsIn({ ...values, name: 'Cascade' }), {})
})
