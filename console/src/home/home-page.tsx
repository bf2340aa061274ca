import { useQuery } from '@tanstack/react-query'
import { useMe } from '../app/api/me.ts'
import { useOrganizationZone } from '../app/api/organization.ts'
import { Failed } from '../app/parts/failed.tsx'
import { Page } from '../app/parts/page.tsx'
import { TableSkeleton } from '../app/table/data-table.tsx'
import { roleWords } from '../settings/people/roles.ts'
import { MoneyPanels } from './money-panels.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { summaryQuery } from './summary.ts'
import { useApprovals } from './use-approvals.ts'
import { useWaitingPayees } from './use-waiting-payees.ts'
import { workIn } from './work.ts'
import { WorkCards } from './work-cards.tsx'

/** The first page after signing in: what is waiting to be done, and how the money stands. */
export function HomePage() {
  const { user, organization } = useMe()
  return (
    <Page
      title={`Welcome, ${user?.name ?? 'you'}`}
      lead={`You are signed in to ${organization.name} as ${roleWords[user?.role ?? 'member'].one}.`}
    >
      <Money />
      <RecentActivity />
    </Page>
  )
}

function Money() {
  const { data, error, refetch } = useQuery(summaryQuery)
  const zone = useOrganizationZone()
  const approvals = [...useApprovals(), ...useWaitingPayees()]
  if (error) return <Failed error={error} what="the summary" retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={6} />
  return (
    <>
      <WorkCards work={[...approvals, ...workIn(data, zone)]} />
      <MoneyPanels summary={data} />
    </>
  )
}
