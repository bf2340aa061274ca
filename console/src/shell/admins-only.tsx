import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMe } from '../api/me.ts'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'

/** Around a page that is an admin's business. The server refuses members too; this says so before anything is asked. */
export function ForAdmins({ children }: { children: ReactNode }) {
  return useMe().isAdmin ? children : <AdminsOnly />
}

export function AdminsOnly() {
  const { organization } = useMe()
  return (
    <Page title="For admins">
      <Notice icon={IconLock} title="This needs the role admin">
        You are a member of {organization.name}. Its users, applications and settings are managed by its admins: ask one of them to do it, or to give you the
        role.
      </Notice>
    </Page>
  )
}
