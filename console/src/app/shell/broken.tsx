import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Problem } from '../api/problem.ts'
import { AdminsOnly } from '../parts/admins-only.tsx'
import { Failed } from '../parts/failed.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'

/** Shown in the place of a page that failed. The rest of the console still works. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof Problem && error.status === 404) return <NotFound />
  if (error instanceof Problem && error.code === 'admin_required') return <AdminsOnly />
  return (
    <Page title="Error">
      <Failed
        error={error}
        retry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Page>
  )
}
