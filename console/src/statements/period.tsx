import { Day } from '../parts/when.tsx'
import type { Statement } from './queries.ts'

export function Period({ pay_period_start, pay_period_end }: Pick<Statement, 'pay_period_start' | 'pay_period_end'>) {
  if (!pay_period_start && !pay_period_end) return '–'
  return (
    <>
      <Day at={pay_period_start} never="…" /> to <Day at={pay_period_end} never="…" />
    </>
  )
}
