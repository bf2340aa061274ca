import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconMapQuestion } from '../icons/icons.ts'
import { Notice } from './notice.tsx'
import { Page } from './page.tsx'

export function NotFound() {
  return (
    <Page title="Not found">
      <Notice
        icon={IconMapQuestion}
        title="Page not found"
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the home page</Button>}
      >
        The address may be wrong, or the record may have been deleted.
      </Notice>
    </Page>
  )
}
