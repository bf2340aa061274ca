import { ActionIcon, Button, Group, Input, TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { IconPlus, IconTrash } from '../../../app/icons/icons.ts'
import { isRedirectUri, redirectUriRule } from './redirect-uri.ts'

type RedirectUrisFieldProps = { value: readonly string[]; onChange: (uris: string[]) => void; error: ReactNode }

/** One input for each; an error is shown once the input loses the focus. */
export function RedirectUrisField({ value, onChange, error }: RedirectUrisFieldProps) {
  const [visited, setVisited] = useState<ReadonlySet<number>>(new Set())
  const list = useRef<HTMLDivElement>(null)
  const lines = value.length > 0 ? value : ['']
  const wrong = lines.map((uri, index) => (visited.has(index) || error) && uri !== '' && !isRedirectUri(uri))
  const add = () => {
    onChange([...lines, ''])
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLInputElement>('[data-line]:last-of-type input')?.focus(),
    )
  }
  return (
    <div ref={list}>
      {lines.map((uri, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the inputs have no id of their own
        <Group key={index} gap="xs" mb="xs" align="flex-start" wrap="nowrap" data-line>
          <TextInput
            flex={1}
            aria-label={`Redirect URI ${index + 1}`}
            type="url"
            inputMode="url"
            placeholder="https://sync.example.com/callback"
            value={uri}
            error={wrong[index] ? redirectUriRule : null}
            onBlur={() => setVisited(new Set([...visited, index]))}
            onChange={(event) => onChange(lines.with(index, event.currentTarget.value.trim()))}
          />
          {lines.length > 1 && (
            <ActionIcon
              variant="default"
              size={36}
              aria-label={`Remove redirect URI ${index + 1}`}
              onClick={() => {
                onChange(lines.filter((_, other) => other !== index))
                setVisited(new Set())
              }}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {error && !wrong.some(Boolean) && (
        <Input.Error mb="xs" role="alert">
          {error}
        </Input.Error>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={add}
        disabled={lines.length >= 50}
      >
        Add redirect URI
      </Button>
    </div>
  )
}
