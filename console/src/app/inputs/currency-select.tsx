import { useQuery } from '@tanstack/react-query'
import { choiceQuery, choicesQuery } from '../../settings/pay-terms/queries.ts'
import { currenciesQuery } from '../api/currencies.ts'
import { RemoteSelect } from './remote-select.tsx'
import { Select, type SelectProps } from './select.tsx'

export function CurrencySelect(props: Omit<SelectProps, 'choices'>) {
  const { data = [] } = useQuery(currenciesQuery)
  const choices = data.map(({ id, iso_4217, name }) => ({ value: id, label: `${iso_4217} · ${name}` }))
  return <Select label="Currency" clearable nothingFoundMessage="No currency found" {...props} choices={choices} />
}

export function PayTermSelect(props: Omit<Parameters<typeof RemoteSelect>[0], 'search' | 'one'>) {
  return <RemoteSelect label="Pay term" clearable {...props} search={choicesQuery} one={choiceQuery} />
}
