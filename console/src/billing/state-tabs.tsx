import { Link } from '@tanstack/react-router'
import styles from './status.module.css'

export type Tab = { key: string; label: string; total: number | undefined }

type StateTabsProps = { to: string; tabs: readonly Tab[]; current: string; searchOf: (key: string) => Record<string, unknown> }

/** Else the link without a state would count as the page of every state. */
const exactly = { exact: true, includeSearch: true }

/** The states of what is listed, each a link with its exact total under the other filters. */
export function StateTabs({ to, tabs, current, searchOf }: StateTabsProps) {
  return (
    <nav aria-label="State" className={styles.tabs}>
      {tabs.map(({ key, label, total }) => (
        <Link key={key} to={to} search={searchOf(key)} className={styles.tab} activeOptions={exactly} aria-current={key === current ? 'page' : undefined}>
          {label} <span className={styles.count}>{total?.toLocaleString() ?? '…'}</span>
        </Link>
      ))}
    </nav>
  )
}
