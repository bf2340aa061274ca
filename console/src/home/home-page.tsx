import { useQuery } from '@tanstack/react-query'
import { useMe } from '../api/me.ts'
import { TableSkeleton } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { Page } from '../parts/page.tsx'
import { MoneyPanels } from './money-panels.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { summaryQuery } from './summary.ts'
import { workIn } from './work.ts'
import { WorkCards } from './work-cards.tsx'

/** The first page after signing in: what is waiting to be done, and how the money stands. */
export function HomePage() {
  const { user, organization, isAdmin } = useMe()
  return (
    <Page title={`Welcome, ${user?.name ?? 'you'}`} lead={`You are signed in to ${organization.name} as ${isAdmin ? 'an admin' : 'a member'}.`}>
      <Money />
      <RecentActivity />
    </Page>
  )
}

function Money() {
  const { data, error, refetch } = useQuery(summaryQuery)
  if (error) return <Failed error={error} what="the summary" retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={6} />
  return (
    <>
      <WorkCards work={workIn(data)} />
      <MoneyPanels summary={data} />
    </>
  )
}
