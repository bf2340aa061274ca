import { Day } from '../../../app/parts/when.tsx'

export function Period({
  pay_period_start,
  pay_period_end,
}: {
  pay_period_start: string | null
  pay_period_end: string | null
}) {
  if (!pay_period_start && !pay_period_end) return '–'
  return (
    <>
      <Day at={pay_period_start} never="…" /> to <Day at={pay_period_end} never="…" />
    </>
  )
}
