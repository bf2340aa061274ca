import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

export type Choice = { value: string; label: string }
type Ask<Argument> = (argument: Argument) => UseQueryOptions<Choice[], Error, Choice[], string[]>

type RemoteSelectProps = Omit<SelectProps, 'data' | 'onChange' | 'value' | 'searchValue' | 'filter'> & {
  label: string
  value: string | null
  onChange: (value: string | null, label: string | null) => void
  /** The choices that contain this text. */
  search: Ask<string>
  /** The chosen one, which may not be among the first results. */
  one: Ask<string>
}

/** A choice among any number of records: the server searches while the person types. */
export function RemoteSelect({ label, value, onChange, search, one, ...props }: RemoteSelectProps) {
  const [typed, setTyped] = useState('')
  const known = useQuery({ ...one(value ?? ''), enabled: value !== null })
  const chosen = value === null ? null : (known.data?.[0] ?? { value, label: known.isPending ? '…' : value })
  // After a choice the field contains its name, which is not a search.
  const [term] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 200)
  const { data = [], isFetching } = useQuery({ ...search(term), placeholderData: keepPreviousData })
  const choices = chosen && !data.some((choice) => choice.value === chosen.value) ? [chosen, ...data] : data
  return (
    <Select
      label={label}
      data={choices}
      value={value}
      onChange={(next) => onChange(next, choices.find((choice) => choice.value === next)?.label ?? null)}
      searchable
      clearable
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching …' : 'Nothing found'}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      {...props}
    />
  )
}
