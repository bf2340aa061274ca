import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMe } from '../../app/api/me.ts'
import { wordsFor } from '../../app/api/problem.ts'
import { IconDownload } from '../../app/icons/icons.ts'
import { Panel } from '../../app/parts/panel.tsx'
import { type FileFormat, formats, type PaymentRun, useDownloadFile } from './queries.ts'

/** The files for the bank. They hold bank details, so only those who may see these get them. */
export function FilesPanel({ run }: { run: PaymentRun }) {
  const { may } = useMe()
  const download = useDownloadFile(run)
  if (!may('see_bank_details')) {
    return (
      <Panel title="Files for the bank">
        <Text size="sm" c="dimmed">
          Admins and payers can download them: they hold bank details.
        </Text>
      </Panel>
    )
  }
  const start = (format: FileFormat) =>
    download.mutate(format, {
      onError: (error) =>
        notifications.show({
          title: `Could not make the ${formats[format].label} file`,
          message: wordsFor(error),
          color: 'red.9',
        }),
    })
  return (
    <Panel
      title="Files for the bank"
      lead="No payment is in two bank files, and a file is the same each time. Who downloads one is noted in the security log."
    >
      <Stack gap="xs">
        {(Object.keys(formats) as FileFormat[]).map((format) => (
          <Group key={format} gap="sm">
            <Button
              variant="default"
              size="xs"
              w="8.5rem"
              leftSection={<IconDownload size={15} aria-hidden />}
              loading={download.isPending && download.variables === format}
              onClick={() => start(format)}
            >
              {formats[format].label}
            </Button>
            <Text size="sm">{formats[format].text}</Text>
          </Group>
        ))}
      </Stack>
    </Panel>
  )
}
