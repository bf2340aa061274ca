import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { IconCheck } from '../../app/icons/icons.ts'
import type { Bill } from '../bills/bill.ts'

const ApproveDialog = lazy(async () => ({ default: (await import('./approve-dialog.tsx')).ApproveDialog }))

/** Approves the selected bills. */
export function ApproveButton({ bills, keep }: { bills: readonly Bill[]; keep: (left: readonly Bill[]) => void }) {
  const [open, setOpen] = useState(false)
  const close = (left: readonly Bill[]) => {
    setOpen(false)
    keep(left)
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCheck size={15} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Approve
      </Button>
      <Suspense>{open && <ApproveDialog bills={bills} close={close} />}</Suspense>
    </>
  )
}
