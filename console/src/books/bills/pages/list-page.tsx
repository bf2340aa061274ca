import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../../app/api/me.ts'
import { organizationQuery } from '../../../app/api/organization.ts'
import { IconStack2 } from '../../../app/icons/icons.ts'
import { ApproveButton } from '../../approvals/approve-button.tsx'
import type { DocumentKind } from '../../documents/kind.ts'
import { DocumentsPage } from '../../documents/list/documents-page.tsx'
import { PaymentButton } from '../../documents/selection/payment-button.tsx'
import type { Bill } from '../bill.ts'
import { bills } from '../kind.ts'
import { groupsOf } from './statement-groups.ts'

const StatementsDialog = lazy(async () => ({ default: (await import('./statements-dialog.tsx')).StatementsDialog }))

const { to_approve: _, ...otherTabs } = bills.list.tabs
const withoutApprovals: DocumentKind<Bill> = { ...bills, list: { ...bills.list, tabs: otherTabs } }

export function ListPage() {
  const { data: organization } = useQuery(organizationQuery)
  const { may } = useMe()
  const approves = organization?.approvals === 'on' && may('approve')
  return (
    <DocumentsPage
      kind={approves ? bills : withoutApprovals}
      forSelected={(selected, keep) => (
        <>
          {approves && <ApproveButton bills={selected} keep={keep} />}
          <PaymentButton kind={bills} documents={selected} />
          <StatementButton selected={selected} keep={keep} />
        </>
      )}
    />
  )
}

/** Where all bills fit on one statement, its page asks for the period and the other details. */
function StatementButton({ selected, keep }: { selected: readonly Bill[]; keep: (left: readonly Bill[]) => void }) {
  const [open, setOpen] = useState(false)
  const { groups, left } = groupsOf(selected)
  const props = { size: 'xs', variant: 'default', leftSection: <IconStack2 size={15} aria-hidden /> } as const
  if (groups.length === 1 && left.length === 0 && !open) {
    const search = { bills: selected.map(({ id }) => id).join(',') }
    return (
      <Button {...props} renderRoot={(link) => <Link to="/statements/new" search={search} {...link} />}>
        Create a statement
      </Button>
    )
  }
  const close = (rest: readonly Bill[]) => {
    setOpen(false)
    keep(rest)
  }
  return (
    <>
      <Button {...props} onClick={() => setOpen(true)}>
        Create statements
      </Button>
      <Suspense>{open && <StatementsDialog bills={selected} close={close} />}</Suspense>
    </>
  )
}
