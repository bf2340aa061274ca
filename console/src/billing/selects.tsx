import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { currenciesQuery } from '../api/currencies.ts'
import { choiceQuery, choicesQuery } from '../pay-terms/queries.ts'
import { RemoteSelect } from './remote-select.tsx'

type Props = Omit<SelectProps, 'data'> & { label?: string }

export function CurrencySelect({ label = 'Currency', ...props }: Props) {
  const { data = [] } = useQuery(currenciesQuery)
  const choices = data.map(({ id, iso_4217, name }) => ({ value: id, label: `${iso_4217} · ${name}` }))
  return (
    <Select
      label={label}
      data={choices}
      searchable
      clearable
      limit={200}
      nothingFoundMessage="No currency found"
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      {...props}
    />
  )
}

type PayTermSelectProps = Omit<Parameters<typeof RemoteSelect>[0], 'search' | 'one' | 'label'> & { label?: string }

export function PayTermSelect({ label = 'Pay term', ...props }: PayTermSelectProps) {
  return <RemoteSelect label={label} search={choicesQuery} one={choiceQuery} {...props} />
}
