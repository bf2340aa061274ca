import { Skeleton } from '@mantine/core'

export function Waiting() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={32} width={240} mb="xl" />
      <Skeleton height={240} />
    </div>
  )
}
