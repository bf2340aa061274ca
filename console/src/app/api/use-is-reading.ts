import { useIsFetching } from '@tanstack/react-query'

/** Whether something that the page shows is read for the first time: until it is there, nobody decides about what they do not see. */
export function useIsReading(): boolean {
  return useIsFetching({ predicate: (query) => query.isActive() && query.state.status === 'pending' }) > 0
}
