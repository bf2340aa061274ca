import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { answered, Problem, wordsFor } from '../app/api/problem.ts'
import { BillPage } from './pages/bill-page.tsx'
import { BillsPage } from './pages/bills-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { InvoicePage } from './pages/invoice-page.tsx'
import { LoadPage } from './pages/load-page.tsx'
import { Title } from './parts/parts.tsx'
import { Go, usePath } from './parts/places.tsx'
import { forgetLink, type LinkRecord, lading, leaveToSignIn, linkPath, signOut } from './session/session.ts'

type Who = { carrier: { name: string }; organization: { name: string }; name: string | null }

/** The portal for somebody who is signed in, or who holds a link: then of one record. */
export async function showPortal(place: HTMLElement, record: LinkRecord | null): Promise<void> {
  const root = createRoot(place)
  try {
    const who = await answered(lading.GET('/api/v1/portal/me'))
    root.render(<StrictMode>{record ? <OfLink who={who} record={record} /> : <SignedIn who={who} />}</StrictMode>)
  } catch (error) {
    root.render(<Refused error={error} />)
  }
}

/** What cannot be opened, and why. */
export function showProblem(place: HTMLElement, title: string, words: string): void {
  createRoot(place).render(
    <Frame>
      <Title>{title}</Title>
      <p>{words}</p>
      <div className="buttons">
        <button
          type="button"
          onClick={() => {
            forgetLink()
            void leaveToSignIn()
          }}
        >
          Sign in
        </button>
      </div>
    </Frame>,
  )
}

function SignedIn({ who }: { who: Who }) {
  const path = usePath()
  const places = [
    ['/portal', 'Loads'],
    ['/portal/bills', 'Bills'],
    ['/portal/invoice', 'Invoice'],
  ] as const
  const isHere = (to: string) =>
    to === '/portal' ? path === to || path.startsWith('/portal/loads') : path.startsWith(to)
  const leave = (
    <button type="button" className="plain" onClick={signOut}>
      Sign out
    </button>
  )
  const nav = (
    <nav aria-label="Pages">
      {places.map(([to, label]) => (
        <Go key={to} to={to} aria-current={isHere(to) ? 'page' : undefined}>
          {label}
        </Go>
      ))}
    </nav>
  )
  return (
    <Frame who={who} actions={leave} nav={nav}>
      {pageAt(path)}
    </Frame>
  )
}

function pageAt(path: string): ReactNode {
  const [, load] = /^\/portal\/loads\/([\w-]+)$/.exec(path) ?? []
  const [, bill] = /^\/portal\/bills\/([\w-]+)$/.exec(path) ?? []
  if (load) return <LoadPage key={load} id={load} />
  if (bill) return <BillPage key={bill} id={bill} />
  if (path === '/portal/bills') return <BillsPage />
  if (path === '/portal/invoice') return <InvoicePage />
  if (path === '/portal' || path === '/portal/') return <HomePage />
  return (
    <>
      <Title>There is no such page</Title>
      <p>
        <Go to="/portal">To your loads</Go>
      </p>
    </>
  )
}

function OfLink({ who, record }: { who: Who; record: LinkRecord }) {
  return (
    <Frame who={who}>{record.type === 'manifest' ? <LinkedLoad id={record.id} /> : <BillPage id={record.id} />}</Frame>
  )
}

function LinkedLoad({ id }: { id: string }) {
  const path = usePath()
  if (path === `${linkPath}/invoice`)
    return (
      <>
        <InvoicePage />
        <p>
          <Go to={linkPath}>To the load</Go>
        </p>
      </>
    )
  return (
    <>
      <LoadPage id={id} />
      <p>
        <Go to={`${linkPath}/invoice`} className="button">
          Send an invoice for this load
        </Go>
      </p>
    </>
  )
}

function Refused({ error }: { error: unknown }) {
  const isOther = error instanceof Problem && error.status === 403
  return (
    <Frame>
      <Title>{isOther ? 'This page is for carriers' : 'The portal could not be opened'}</Title>
      <p>{isOther ? 'You are signed in, but not as somebody of a carrier.' : wordsFor(error)}</p>
      <p>
        <a href={isOther ? '/' : '/portal'} className="button">
          {isOther ? 'To the console' : 'Try again'}
        </a>
      </p>
    </Frame>
  )
}

function Frame({
  who,
  actions,
  nav,
  children,
}: {
  who?: Who
  actions?: ReactNode
  nav?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <header>
        <p>
          <strong>{who ? who.carrier.name : 'Partner portal'}</strong>
          {who && <span>{who.organization.name}</span>}
        </p>
        {actions}
      </header>
      {nav}
      <main>{children}</main>
    </>
  )
}
