import { Link } from '@tanstack/react-router'
import styles from './status.module.css'

export type Tab = { key: string; label: string; total: number | undefined }

type StateTabsProps = { to: string; tabs: readonly Tab[]; current: string; searchOf: (key: string) => Record<string, unknown> }

/** Otherwise the link without a state would count as active on the page of every state. */
const exactly = { exact: true, includeSearch: true }

/** One link for each state, with the exact total under the current filters. */
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
