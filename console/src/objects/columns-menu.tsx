import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { type Kind, placesOf } from './kind.ts'

type ColumnsMenuProps = { kind: Kind; chosen: readonly string[]; isUsual: boolean; onChoose: (columns: string[] | undefined) => void }

/** Which columns a list has; in the order in which they were chosen. */
export function ColumnsMenu({ kind, chosen, isUsual, onChoose }: ColumnsMenuProps) {
  const offered = placesOf(kind).filter(({ path }) => path !== 'fullId')
  const beyond = chosen.filter((column) => column !== 'fullId' && !offered.some(({ path }) => path === column)).map((path) => ({ path, label: path }))
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
            {[...beyond, ...offered].map(({ path, label }) => (
              <Checkbox key={path} size="sm" label={label} checked={chosen.includes(path)} onChange={() => toggle(path)} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Button mt="sm" size="xs" variant="default" fullWidth disabled={isUsual} onClick={() => onChoose(undefined)}>
          The usual ones
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
