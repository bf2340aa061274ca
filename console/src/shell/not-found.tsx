import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'

export function NotFound() {
  return (
    <Page title="Nothing here">
      <Notice icon={IconMapQuestion} title="There is no such page" action={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the start</Button>}>
        The address may be mistyped, or what was here may be gone.
      </Notice>
    </Page>
  )
}
