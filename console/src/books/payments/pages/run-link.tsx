import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadingText } from '../../../app/parts/loading-text.tsx'
import { runQuery } from '../run.ts'

/** The number of a run, which leads to its page. */
export function RunLink({ id }: { id: string }) {
  const { data, error } = useQuery(runQuery(id))
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={`/payment-runs/${id}`} {...props} />}>
      {data?.number ?? (error ? 'a payment run' : <LoadingText />)}
    </Anchor>
  )
}
