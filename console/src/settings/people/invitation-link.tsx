import { Button, Group, Text } from '@mantine/core'
import { Copyable } from '../../app/copying/copyable.tsx'

/** An invitation's link, which is shown once: whoever invited can hand it over where no mail arrives. `next`: where they go with it. */
export function InvitationLink({ url, next, close }: { url: string | null; next: string; close: () => void }) {
  return (
    <>
      <Text size="sm" mb="md">
        {url
          ? 'Send them this link: it works for 7 days and is shown only once.'
          : 'They get a link by mail, which works for 7 days.'}{' '}
        {next}
      </Text>
      {url && <Copyable text={url} label="the invitation link" />}
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Done</Button>
      </Group>
    </>
  )
}
