import { csvLine } from '../../../platform/core/tables/csv.ts'
import { currencyCell, decimalText } from '../../../platform/core/tables/decimals.ts'
import { fileOf, type IssuedRun } from './model.ts'

const columns = [
  ...[
    'payment',
    'method',
    'bank_file',
    'payee',
    'amount',
    'currency',
    'pay_on',
    'bank_name',
    'account_type',
    'routing_number',
    'account_number',
    'iban',
    'bic',
  ],
  ...['address_1', 'address_2', 'city', 'state', 'postal', 'country', 'references', 'currency_id'],
]

/** Every payment of a run, also those that no bank file has, such as checks. `bank_file` says which of the others pays it. */
export function csvFile(run: IssuedRun): string {
  const lines = run.payments.map((payment) => {
    const { number, method, payee_name, amount, details, address, references } = payment
    const part = (name: string) => address?.[name] ?? null
    return csvLine([
      ...[
        number,
        method,
        fileOf(payment, run),
        payee_name,
        { decimal: decimalText(amount, run.decimals) },
        currencyCell(run.currency_id),
        run.pay_on,
        details?.bank_name ?? null,
      ],
      ...[
        details?.account_type ?? null,
        details?.routing_number ?? null,
        details?.account_number ?? null,
        details?.iban ?? null,
        details?.bic ?? null,
      ],
      ...[
        part('address_1'),
        part('address_2'),
        part('city'),
        part('state'),
        part('postal'),
        part('country'),
        references.join(' '),
        run.currency_id,
      ],
    ])
  })
  return csvLine(columns) + lines.join('')
}
