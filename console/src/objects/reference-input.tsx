import { ActionIcon, Select, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowUpRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { PlatformObject } from './kind.ts'
import { lookupQuery, useReferred } from './queries.ts'

type ReferenceInputProps = {
  label?: string | undefined
  'aria-label'?: string | undefined
  description?: string | undefined
  required?: boolean
  error?: ReactNode
  inputWrapperOrder?: ('label' | 'input' | 'description' | 'error')[]
  objectKey: string
  value: string
  onChange: (id: string) => void
}

/** A reference to another object: found by searching, with a link to its page. */
export function ReferenceInput({ objectKey, value, onChange, ...input }: ReferenceInputProps) {
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const chosen = useReferred(objectKey, value ? [value] : []).get(value)
  // After a choice the input contains its label, which is not a search.
  const searchText = chosen && typed === labelOf(chosen) ? '' : typed
  const [asked] = useDebouncedValue(searchText, 150)
  const { data: found = [], isFetching } = useQuery({ ...lookupQuery(objectKey, asked), enabled: opened, placeholderData: keepPreviousData })
  const offered = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  const unknown = value && !offered.some(({ id }) => id === value) ? [{ value, label: value }] : []
  const open = chosen && (
    <Tooltip label={`Open ${chosen.name}`}>
      <ActionIcon
        variant="subtle"
        size="sm"
        aria-label={`Open ${chosen.name}`}
        renderRoot={(props) => <Link to={`/objects/${objectKey}/${value}`} {...props} />}
      >
        <IconArrowUpRight size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <Select
      {...input}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${input.label ?? input['aria-label'] ?? ''}` }}
      leftSection={open}
      leftSectionPointerEvents="all"
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      data={[...unknown, ...offered.map((object) => ({ value: object.id, label: labelOf(object) }))]}
      filter={({ options }) => options}
      nothingFoundMessage={isFetching || asked !== searchText ? 'Searching …' : 'Nothing found'}
      placeholder="Type to search"
    />
  )
}

function labelOf({ fullId, name }: PlatformObject): string {
  return name === fullId ? fullId : `${name} (${fullId})`
}
