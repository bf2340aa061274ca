import { useQuery } from '@tanstack/react-query'
import { useMe } from '../api/me.ts'
import { useApprovals } from '../approvals/use-approvals.ts'
import { TableSkeleton } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { Page } from '../parts/page.tsx'
import { useWaitingPayees } from '../payees/use-waiting-payees.ts'
import { roleWords } from '../people/roles.ts'
import { MoneyPanels } from './money-panels.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { summaryQuery } from './summary.ts'
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
  const approvals = [...useApprovals(), ...useWaitingPayees()]
  if (error) return <Failed error={error} what="the summary" retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={6} />
  return (
    <>
      <WorkCards work={[...approvals, ...workIn(data)]} />
      <MoneyPanels summary={data} />
    </>
  )
}
