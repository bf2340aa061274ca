import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconDownload } from '../icons/icons.ts'
import { fileOf } from '../values/spreadsheet.ts'
import { useExport } from './use-export.ts'

type ExportMenuProps = {
  /** What is exported, in the message of an error: `the bills`. */
  what: string
  fileName: string
  /** The columns of the list, as people read them. */
  forPeople: () => Promise<string>
  /** All fields, as the API has them. */
  forPrograms: () => Promise<Blob>
  start: () => Promise<unknown>
}

/** A file for people, and, behind the menu, one for programs. */
export function ExportMenu({ what, fileName, forPeople, forPrograms, start }: ExportMenuProps) {
  const startInstead = async () => {
    await start()
    notifications.show({
      title: 'Exported in the background',
      message: 'There are too many for a file of this list. The file has all fields, for programs.',
    })
  }
  const people = useExport({
    what,
    fileName: `${fileName}.csv`,
    read: async () => fileOf(await forPeople()),
    start: startInstead,
  })
  const programs = useExport({ what, fileName: `${fileName}-all-fields.csv`, read: forPrograms, start })
  return (
    <Group gap={2} wrap="nowrap">
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => people.mutate()}
        loading={people.isPending || programs.isPending}
      >
        Export CSV
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="Choose what to export">
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => people.mutate()}>
            For people: the columns of this list, with names and decimals
          </Menu.Item>
          <Menu.Item onClick={() => programs.mutate()}>For programs: all fields, can be imported again</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
