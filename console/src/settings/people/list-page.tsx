import { ActionIcon, Button, Menu, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { wordsFor } from '../../app/api/problem.ts'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconDots, IconUserPlus } from '../../app/icons/icons.ts'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { historyQuery, peopleQuery, type User, useChangeRole, useEnable, useInviteAgain } from './queries.ts'
import { roleNames, roleWords } from './roles.ts'

export function ListPage() {
  return (
    <ForAdmins>
      <People />
    </ForAdmins>
  )
}

function People() {
  const [inviting, invite] = useDisclosure(false)
  const [link, setLink] = useState<string | null>(null)
  return (
    <Page
      title="People"
      lead="Everyone who can sign in to this organization. Admins also manage people, applications and settings."
      actions={
        <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={invite.open}>
          Invite someone
        </Button>
      }
    >
      <List showLink={setLink} />
      {inviting && (
        <InviteDialog
          close={invite.close}
          done={(url) => {
            invite.close()
            setLink(url)
            if (!url)
              notifications.show({
                title: 'The person was invited',
                message:
                  'They get a link by mail, or use the first password that you tell them, within 7 days. Then they choose their own password.',
              })
          }}
        />
      )}
      {link && (
        <Modal opened onClose={() => setLink(null)} title="Invitation link" size="lg">
          <InvitationLink
            url={link}
            next="With it they choose a password, or use the password of their existing account, and join the organization."
            close={() => setLink(null)}
          />
        </Modal>
      )}
    </Page>
  )
}

function List({ showLink }: { showLink: (url: string | null) => void }) {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({ ...peopleQuery(page), placeholderData: keepPreviousData })
  if (error) return <Failed error={error} what="the people" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { users, offset, limit, total } = data
  const onPage = (next: number) => void navigate({ to: '/settings/people', search: next > 1 ? { page: next } : {} })
  const withActions: Column<User>[] = [
    ...columns,
    { label: 'Actions', end: true, show: (user) => <Actions user={user} showLink={showLink} /> },
  ]
  return (
    <DataTable
      label="People"
      columns={withActions}
      rows={users}
      keyOf={({ id }) => id}
      paging={{ offset, limit, total, onPage }}
    />
  )
}

const columns: Column<User>[] = [
  {
    label: 'Name',
    show: ({ name, email }) => (
      <>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  { label: 'Role', show: ({ role }) => roleWords[role].label },
  {
    label: 'State',
    show: ({ disabled_at, joined_at }) => (
      <StateBadge
        words={disabled_at ? 'Disabled' : joined_at ? 'Active' : 'Invited'}
        tone={disabled_at ? 'stopped' : joined_at ? 'done' : 'open'}
      />
    ),
  },
  { label: 'Last signed in', show: ({ last_login_at }) => <When at={last_login_at} never="Never" /> },
  { label: 'Added', show: ({ created_at }) => <When at={created_at} /> },
]

function Actions({ user, showLink }: { user: User; showLink: (url: string | null) => void }) {
  const me = useMe()
  const [disabling, disable] = useDisclosure(false)
  const [looking, look] = useDisclosure(false)
  const changeRole = useChangeRole()
  const enable = useEnable()
  const inviteAgain = useInviteAgain()
  const failed = (error: unknown) =>
    void notifications.show({ title: 'The change was not made', message: wordsFor(error), color: 'red.9' })
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            aria-label={`Actions for ${user.name}`}
            loading={changeRole.isPending || enable.isPending || inviteAgain.isPending}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {roleNames
            .filter((role) => role !== user.role && user.role !== 'partner')
            .map((role) => (
              <Menu.Item key={role} onClick={() => changeRole.mutate({ user, role }, { onError: failed })}>
                Make {roleWords[role].one}
              </Menu.Item>
            ))}
          {!user.joined_at && (
            <Menu.Item
              onClick={() =>
                inviteAgain.mutate(user, {
                  onError: failed,
                  onSuccess: ({ invitation_url }) =>
                    invitation_url
                      ? showLink(invitation_url)
                      : notifications.show({ message: 'A new link was mailed to them.' }),
                })
              }
            >
              New invitation link
            </Menu.Item>
          )}
          {user.disabled_at ? (
            <Menu.Item onClick={() => enable.mutate(user, { onError: failed })}>Enable</Menu.Item>
          ) : (
            <Menu.Item onClick={disable.open} disabled={user.id === me.user?.id}>
              Disable
            </Menu.Item>
          )}
          <Menu.Item onClick={look.open}>History</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {looking && (
        <HistoryDialog
          name={user.name}
          close={look.close}
          query={(limit) => historyQuery(user.id, limit)}
          changesOf={(event) => <FieldChanges event={event} labels={{ name: 'Name', role: 'Role' }} />}
        />
      )}
      {disabling && <DisableDialog user={user} close={disable.close} />}
    </>
  )
}
