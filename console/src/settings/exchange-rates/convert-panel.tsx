import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCurrency, useMoney } from '../../app/api/currencies.ts'
import { CurrencySelect } from '../../app/inputs/currency-select.tsx'
import { NumberInput } from '../../app/inputs/number-input.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { Day } from '../../app/parts/when.tsx'
import { today } from '../../app/values/dates.ts'
import { readAmount, typedAmountOf } from '../../app/values/money.ts'
import { textAfterLeaving } from '../../app/values/numbers.ts'
import { useConvert } from './queries.ts'
import { typedRateOf } from './rate-text.ts'

/** What an amount comes to in another currency, by the rate of a day. */
export function ConvertPanel({ home }: { home: string | null }) {
  const money = useMoney()
  const convert = useConvert()
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(home)
  const [typed, setTyped] = useState('')
  const [on, setOn] = useState(today())
  const [problem, setProblem] = useState<string | null>(null)
  const currency = useCurrency(from)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!from || !to || !currency) return setProblem('Choose both currencies.')
    const read = readAmount(typed, currency)
    setProblem('problem' in read ? read.problem : null)
    if ('amount' in read) convert.mutate({ from, to, amount: read.amount, ...(on && { on }) })
  }
  const { data } = convert
  return (
    <Panel title="Convert an amount">
      <form onSubmit={submit} noValidate>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} spacing="sm" style={{ alignItems: 'end' }}>
          <NumberInput
            label="Amount"
            value={typed}
            onChange={setTyped}
            error={problem}
            shownBack={(text) =>
              currency
                ? textAfterLeaving(text, readAmount(text, currency), (amount) =>
                    typedAmountOf(amount, currency.minor_units),
                  )
                : text
            }
          />
          <CurrencySelect label="From" value={from} onChange={setFrom} />
          <CurrencySelect label="To" value={to} onChange={setTo} />
          <TextInput type="date" label="On" value={on} onChange={(event) => setOn(event.currentTarget.value)} />
          <Button type="submit" variant="default" loading={convert.isPending}>
            Convert
          </Button>
        </SimpleGrid>
      </form>
      {convert.error ? <Failed error={convert.error} /> : null}
      {data && !convert.error && (
        <Text mt="sm" aria-live="polite">
          {money(data.amount, data.from_currency_id)} is <b>{money(data.converted_amount, data.to_currency_id)}</b> on{' '}
          <Day at={data.on} />, at the {data.is_inverse ? 'inverse rate' : 'rate'} {typedRateOf(data.rate.slice(0, 14))}
          .
        </Text>
      )}
    </Panel>
  )
}
