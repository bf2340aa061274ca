/** How long ago what is open was due. */
export const buckets = [
  'current_amount',
  'days_1_30_amount',
  'days_31_60_amount',
  'days_61_90_amount',
  'days_over_90_amount',
] as const
export type Bucket = (typeof buckets)[number]

export const bucketLabels: Record<Bucket, string> = {
  current_amount: 'Not due',
  days_1_30_amount: '1–30 days',
  days_31_60_amount: '31–60 days',
  days_61_90_amount: '61–90 days',
  days_over_90_amount: 'Over 90 days',
}

/** For the axis of a chart, in days. */
export const shortLabels: Record<Bucket, string> = {
  current_amount: 'Not due',
  days_1_30_amount: '1–30',
  days_31_60_amount: '31–60',
  days_61_90_amount: '61–90',
  days_over_90_amount: '90+',
}
