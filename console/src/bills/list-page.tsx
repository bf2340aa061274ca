import { Button } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { DocumentsPage } from '../billing/documents/documents-page.tsx'
import { PaymentButton } from '../billing/documents/selection/payment-button.tsx'
import type { Bill } from './bill.ts'
import { bills } from './kind.ts'
import { groupsOf } from './statement-groups.ts'

const StatementsDialog = lazy(async () => ({ default: (await import('./statements-dialog.tsx')).StatementsDialog }))

export function ListPage() {
  return (
    <DocumentsPage
      kind={bills}
      forSelected={(selected, keep) => (
        <>
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
