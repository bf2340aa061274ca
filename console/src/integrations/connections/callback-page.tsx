import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { wordsFor } from '../../app/api/problem.ts'
import { IconPlugConnected } from '../../app/icons/icons.ts'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { useEndSignIn } from './queries.ts'
import { type CallbackSearch, connectionsPath } from './routes.ts'
import { connectionIn } from './values.ts'

/** Where an accounting system comes back to: hands the code over, once, and shows the connection. */
export function CallbackPage() {
  const { code, state = '', realm, error } = useSearch({ strict: false }) as CallbackSearch
  const navigate = useNavigate()
  const end = useEndSignIn()
  const id = connectionIn(state)
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current || !code || !id) return
    isBegun.current = true
    end.mutate(
      { id, authorization_code: code, state, realm_id: realm ?? null },
      { onSuccess: () => void navigate({ to: `${connectionsPath}/${id}`, replace: true }) },
    )
  }, [code, id, state, realm, end, navigate])
  const why = end.error
    ? wordsFor(end.error)
    : error || !code || !id
      ? 'The accounting system did not allow the connection. Begin again.'
      : null
  const back = (
    <Button
      variant="default"
      renderRoot={(props) => <Link to={id ? `${connectionsPath}/${id}` : connectionsPath} {...props} />}
    >
      Back to the connection
    </Button>
  )
  return (
    <Page title={why ? 'Not connected' : 'Connecting'}>
      <Notice
        icon={IconPlugConnected}
        title={why ? 'The sign-in did not succeed' : 'Signing in to the accounting system …'}
        action={why && back}
      >
        {why ?? 'This takes a moment.'}
      </Notice>
    </Page>
  )
}
