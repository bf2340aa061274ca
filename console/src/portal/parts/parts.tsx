import type { ReactNode } from 'react'

export function Card({ title, children }: { title?: ReactNode; children: ReactNode }) {
  return (
    <section className="card">
      {title && <h2>{title}</h2>}
      {children}
    </section>
  )
}

/** What went wrong, which is read out at once. */
export function Trouble({ words, again }: { words: string | null; again?: () => void }) {
  if (!words) return null
  return (
    <div className="trouble" role="alert">
      <p>{words}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

export function Title({ children }: { children: ReactNode }) {
  return <h1 tabIndex={-1}>{children}</h1>
}

export function State({ children, tone = 'quiet' }: { children: ReactNode; tone?: 'quiet' | 'good' | 'bad' | 'open' }) {
  return (
    <span className="state" data-tone={tone}>
      {children}
    </span>
  )
}

export function Waiting() {
  return (
    <div className="waiting" role="status" aria-label="Loading">
      <span />
      <span />
      <span />
    </div>
  )
}

export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl>
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
