import type { ReactNode } from 'react'
import { useMe } from '../api/me.ts'
import { IconLock } from '../icons/icons.ts'
import { Notice } from './notice.tsx'
import { Page } from './page.tsx'

/** Around a page for admins. The server refuses members too; this tells them before anything is requested. */
export function ForAdmins({ children }: { children: ReactNode }) {
  return useMe().isAdmin ? children : <AdminsOnly />
}

export function AdminsOnly() {
  const { organization } = useMe()
  return (
    <Page title="Admins only">
      <Notice icon={IconLock} title="Only admins can open this page">
        You are a member of {organization.name}. Admins manage its users, applications and settings. Ask an admin to
        make the change or to give you the admin role.
      </Notice>
    </Page>
  )
}
