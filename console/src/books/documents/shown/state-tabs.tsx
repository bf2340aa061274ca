import { Link } from '@tanstack/react-router'
import { LoadingText } from '../../../app/parts/loading-text.tsx'
import styles from './status.module.css'

/** `total` is undefined until it is known; a tab without one has no number. */
export type Tab = { key: string; label: string; total?: number | undefined }

type StateTabsProps = {
  label?: string
  /** Where a tab leads. */
  toOf: (key: string) => string
  tabs: readonly Tab[]
  current: string
  searchOf: (key: string) => Record<string, unknown>
}

/** Otherwise the link without a state would count as active on the page of every state. */
const exactly = { exact: true, includeSearch: true }

/** One link for each state, with the exact total under the current filters. */
export function StateTabs({ label = 'State', toOf, tabs, current, searchOf }: StateTabsProps) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          to={toOf(tab.key)}
          search={searchOf(tab.key)}
          className={styles.tab}
          activeOptions={exactly}
          aria-current={tab.key === current ? 'page' : undefined}
        >
          {tab.label}{' '}
          {'total' in tab && (
            <span className={styles.count}>{tab.total?.toLocaleString() ?? <LoadingText width="1.2em" />}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}
