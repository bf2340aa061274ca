import { address, date, type Fields, id, text } from './fields.ts'
import { currency, taxSwitch } from './standard-fields.ts'

type Names = { noun: string; plural: string }

/** What is said of a kind in the descriptions of its fields. */
type Wording = {
  /** Whose number it is, and one of them. */
  reference: { description: string; example: string }
  /** When it is due. */
  due: string
  notes: string
  email: string
  /** Who is known to the accounting package, by which id, and what that complains of. */
  accounting: { who: string; id: string; error: string }
  /** The addresses whose names `search_term` looks through. */
  searched: readonly ('bill_to' | 'remit_to')[]
}

/** What clients set of every kind of document, around what is particular to one: whom it is about (`own`), and how its date is called. */
export function clientFields<O extends Fields, D extends string>(names: Names, own: O, dateName: D, wording: Wording) {
  const { noun, plural } = names
  const dated = { [dateName]: date(`The date of the ${noun}.`, { isSortable: true }) } as Record<
    D,
    ReturnType<typeof date>
  >
  const addressOf = (name: 'bill_to' | 'remit_to') =>
    address(wording.searched.includes(name) ? { searched: 'names' } : {})
  return {
    currency_id: currency(names),
    pay_term_id: id('The pay term; must exist.'),
    ...own,
    ...dated,
    due_date: date(`When it is to be ${wording.due}; given on saving from the pay term where none was set.`, {
      isSortable: true,
      filter: {
        by: 'times',
        start: 'due_start_at',
        end: 'due_end_at',
        descriptions: ['Due at or after.', 'Due at or before.'],
      },
    }),
    send_to_email: text('Where it is sent to.', wording.email, { isContent: false }),
    cc_to_email: text('Who gets a copy.', 'ops@blueridge.example', { isContent: false }),
    bill_to: addressOf('bill_to'),
    is_tax_on: taxSwitch(),
    notes: text('Notes.', wording.notes, { maxLength: 10_000 }),
    remit_to: addressOf('remit_to'),
    reference_number: referenceNumber(plural, wording.reference),
    ...accountingFields(plural, wording.accounting),
  }
}

function referenceNumber(plural: string, { description, example }: Wording['reference']) {
  return text(description, example, {
    maxLength: 255,
    searched: 'text',
    filter: {
      by: 'text',
      name: 'reference_number',
      description: `Keeps the ${plural} with this reference number, upper and lower case the same.`,
      example,
      column: 'reference_key',
    },
  })
}

/** What the job that exports to the accounting package notes. */
function accountingFields(plural: string, { who, id: known, error }: Wording['accounting']) {
  return {
    qb_external_id: text(`The id of the ${who} in the accounting package.`, known, {
      maxLength: 255,
      isContent: false,
    }),
    qb_error_msg: text('What the accounting package complained of.', error, { maxLength: 10_000, isContent: false }),
    qb_exported_at: date('When it was exported to the accounting package.', {
      isContent: false,
      filter: {
        by: 'times',
        start: 'qb_exported_start_at',
        end: 'qb_exported_end_at',
        descriptions: [
          'Exported to the accounting package at or after.',
          'Exported to the accounting package at or before.',
        ],
        isSet: {
          name: 'exported',
          description: `With true keeps the ${plural} that were exported to the accounting package, with false those that were not.`,
        },
      },
    }),
  }
}

type Columns = {
  date: string
  /** Whom or what it is about. */
  parties: readonly string[]
  lines: string
  /** Behind the state, and behind the lines. */
  early?: readonly string[]
  late?: readonly string[]
}

/** The order that exported files have always had. */
export function columnsInOrder({ date, parties, lines, early = [], late = [] }: Columns): string[] {
  return [
    ...[
      'id',
      'external_id',
      'number',
      'status_id',
      ...early,
      'currency_id',
      'pay_term_id',
      date,
      'due_date',
      'sent_at',
      'paid_at',
      'reference_number',
    ],
    ...[
      ...parties,
      'sub_total_amount',
      'is_tax_on',
      'tax_amount',
      'total_amount',
      'bill_to',
      'remit_to',
      'send_to_email',
      'cc_to_email',
      'notes',
    ],
    ...[
      'qb_external_id',
      'qb_error_msg',
      'qb_exported_at',
      lines,
      ...late,
      'full_id',
      'org_id',
      'created_by',
      'created_at',
      'updated_at',
      'revision',
    ],
  ]
}
