import { ActionIcon, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { IconArrowUpRight } from '../../app/icons/icons.ts'
import { RemoteSelect } from '../../app/inputs/remote-select.tsx'
import { choiceQuery, choicesQuery, useReferred } from '../kinds/queries.ts'

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
  const chosen = useReferred(objectKey, value ? [value] : []).get(value)
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
    <RemoteSelect
      {...input}
      clearable={!input.required}
      leftSection={open}
      leftSectionPointerEvents="all"
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      search={(term) => choicesQuery(objectKey, term)}
      one={(id) => choiceQuery(objectKey, id)}
      placeholder="Type to search"
    />
  )
}
