import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core'
import { IconColumns } from '../../app/icons/icons.ts'
import { type Kind, placesOf } from '../kinds/kind.ts'

type ColumnsMenuProps = {
  kind: Kind
  chosen: readonly string[]
  isDefault: boolean
  onChoose: (columns: string[] | undefined) => void
}

/** The columns of a list, in the order in which they were chosen. */
export function ColumnsMenu({ kind, chosen, isDefault, onChoose }: ColumnsMenuProps) {
  const offered = placesOf(kind).filter(({ path }) => path !== 'fullId')
  const notOffered = chosen
    .filter((column) => column !== 'fullId' && !offered.some(({ path }) => path === column))
    .map((path) => ({ path, label: path }))
  const toggle = (path: string) => {
    const next = chosen.includes(path) ? chosen.filter((column) => column !== path) : [...chosen, path]
    onChoose(next.length > 0 ? next : ['fullId'])
  }
  return (
    <Popover position="bottom-end" width={260} trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <ScrollArea.Autosize mah={320}>
          <Stack gap="xs">
            {[...notOffered, ...offered].map(({ path, label }) => (
              <Checkbox
                key={path}
                size="sm"
                label={label}
                checked={chosen.includes(path)}
                onChange={() => toggle(path)}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Button mt="sm" size="xs" variant="default" fullWidth disabled={isDefault} onClick={() => onChoose(undefined)}>
          Reset to default
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
