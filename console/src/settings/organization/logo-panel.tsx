import { Button, FileButton, Group, Image, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../app/api/me.ts'
import { wordsFor } from '../../app/api/problem.ts'
import { IconTrash, IconUpload } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { logoQuery, useRemoveLogo, useSetLogo } from './queries.ts'

/** The picture on the PDF files of the organization. */
export function LogoPanel({ hasLogo }: { hasLogo: boolean }) {
  const { isAdmin } = useMe()
  const { data, error, refetch } = useQuery({ ...logoQuery, enabled: hasLogo })
  const logo = hasLogo ? data : null
  const set = useSetLogo()
  const remove = useRemoveLogo()
  const say = (title: string) => (error: unknown) =>
    notifications.show({ title, message: wordsFor(error), color: 'red.9' })
  const upload = (file: File | null) => {
    if (file)
      set.mutate(file, {
        onSuccess: () => void notifications.show({ message: 'The logo was changed.' }),
        onError: say('Could not use this picture'),
      })
  }
  return (
    <Panel title="Logo" lead="On every PDF file: a PNG or JPEG picture of at most 1 MB and a million pixels.">
      {logo && <Image src={logo} alt="The logo" mah={80} w="auto" fit="contain" mb="sm" />}
      {hasLogo && error && <Failed error={error} what="the logo" retry={() => void refetch()} />}
      {!hasLogo && <Text size="sm">There is no logo.</Text>}
      {isAdmin && (
        <Group gap="xs" mt="sm">
          <FileButton accept="image/png,image/jpeg" onChange={upload}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="xs"
                loading={set.isPending}
                leftSection={<IconUpload size={15} aria-hidden />}
              >
                {hasLogo ? 'Replace' : 'Upload'}
              </Button>
            )}
          </FileButton>
          {hasLogo && (
            <Button
              variant="default"
              size="xs"
              loading={remove.isPending}
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => remove.mutate(undefined, { onError: say('Could not remove the logo') })}
            >
              Remove
            </Button>
          )}
        </Group>
      )}
    </Panel>
  )
}
