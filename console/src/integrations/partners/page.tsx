import { Anchor, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { IconUserPlus } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { timeOf } from '../../app/values/dates.ts'
import { NumberedLink } from '../../books/documents/shown/numbered-link.tsx'
import { PartyLink } from '../../books/documents/shown/parties.tsx'
import { NumberLink } from '../../books/documents/shown/shown.tsx'
import { InvitePartner } from './invite-dialog.tsx'
import {
  type Invitation,
  invitationsQuery,
  linksQuery,
  openQuestionsQuery,
  openTendersQuery,
  type PortalLink,
  type Question,
  useRevokeLink,
} from './queries.ts'
import { TendersTable } from './tenders-table.tsx'

export function PartnerPortalPage() {
  const { isAdmin } = useMe()
  return (
    <Page
      title="Partner portal"
      lead="Carriers answer tenders, report stops, send papers and see their bills at /portal: signed in, or with a link for one record."
    >
      <Questions />
      <Tenders />
      <Links />
      {isAdmin && <People />}
    </Page>
  )
}

function Questions() {
  const { data, error, refetch } = useQuery(openQuestionsQuery)
  const columns: Column<Question>[] = [
    {
      label: 'Question',
      show: ({ bill_id, messages }) => (
        <Anchor fw={600} size="sm" renderRoot={(props) => <Link to={`/bills/${bill_id}`} {...rowLink} {...props} />}>
          {shortened(messages.at(-1)?.text ?? 'Open')}
        </Anchor>
      ),
    },
    { label: 'Carrier', show: ({ partner_carrier_id }) => <PartyLink party="carrier" id={partner_carrier_id} /> },
    { label: 'Asked', show: ({ last_message_at }) => <When at={last_message_at} /> },
  ]
  return (
    <Panel title="Open questions" lead="Answer them on the page of the bill.">
      {error ? (
        <Failed error={error} what="the questions" retry={() => void refetch()} />
      ) : (
        !data && <TableSkeleton rows={2} />
      )}
      {data?.length === 0 && <None>No question waits for an answer.</None>}
      {data && data.length > 0 && (
        <DataTable label="Open questions" columns={columns} rows={data} keyOf={({ id }) => id} />
      )}
    </Panel>
  )
}

function Tenders() {
  const { data, error, refetch } = useQuery(openTendersQuery)
  return (
    <Panel title="Open tenders" lead="Manifests are offered on their own pages.">
      {error ? (
        <Failed error={error} what="the tenders" retry={() => void refetch()} />
      ) : (
        !data && <TableSkeleton rows={2} />
      )}
      {data?.length === 0 && <None>Nothing is offered to a carrier at the moment.</None>}
      {data && data.length > 0 && <TendersTable tenders={data} withManifest />}
    </Panel>
  )
}

function Links() {
  const { may } = useMe()
  const { data, error, refetch } = useQuery(linksQuery())
  const columns: Column<PortalLink>[] = [
    {
      label: 'Record',
      show: ({ manifest_id, bill_id }) =>
        manifest_id ? (
          <NumberedLink label="Manifest" objectKey="manifest" id={manifest_id} />
        ) : (
          <NumberLink to={`/bills/${bill_id}`}>A bill</NumberLink>
        ),
    },
    { label: 'Carrier', show: ({ partner_carrier_id }) => <PartyLink party="carrier" id={partner_carrier_id} /> },
    { label: 'Last opened', show: ({ last_opened_at }) => <When at={last_opened_at} never="Never" /> },
    { label: 'Good until', show: ({ expires_at }) => timeOf(expires_at) },
    ...(may('enter') ? [{ label: 'Actions', end: true, show: (link: PortalLink) => <Revoke link={link} /> }] : []),
  ]
  return (
    <Panel title="Signed links" lead="Those that can be opened. New ones are made on the page of a manifest or a bill.">
      {error ? (
        <Failed error={error} what="the links" retry={() => void refetch()} />
      ) : (
        !data && <TableSkeleton rows={2} />
      )}
      {data?.length === 0 && <None>There is no link that can be opened.</None>}
      {data && data.length > 0 && (
        <DataTable label="Signed links" columns={columns} rows={data} keyOf={({ id }) => id} />
      )}
    </Panel>
  )
}

function Revoke({ link }: { link: PortalLink }) {
  const [isAsking, { open, close }] = useDisclosure(false)
  const revoke = useRevokeLink(link)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        Revoke
      </Button>
      {isAsking && (
        <ConfirmDialog action="Revoke" name="the link" change={revoke} close={close}>
          Nobody can open it any more, and whoever has it open sees nothing from now on.
        </ConfirmDialog>
      )}
    </>
  )
}

function People() {
  const [isInviting, { open, close }] = useDisclosure(false)
  const { data, error, refetch } = useQuery(invitationsQuery)
  const columns: Column<Invitation>[] = [
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
    { label: 'Carrier', show: ({ partner_carrier_id }) => <PartyLink party="carrier" id={partner_carrier_id} /> },
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
  ]
  const button = (
    <Button variant="default" size="xs" leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
      Invite somebody
    </Button>
  )
  return (
    <Panel
      title="People of carriers"
      lead="Each sees what is their carrier’s, and nothing else. They are disabled under People."
      actions={button}
    >
      {error ? (
        <Failed error={error} what="the people" retry={() => void refetch()} />
      ) : (
        !data && <TableSkeleton rows={2} />
      )}
      {data?.length === 0 && <None>Nobody was invited yet.</None>}
      {data && data.length > 0 && (
        <DataTable label="People of carriers" columns={columns} rows={data} keyOf={({ id }) => id} />
      )}
      {isInviting && <InvitePartner close={close} />}
    </Panel>
  )
}

function None({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
