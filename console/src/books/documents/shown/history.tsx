import {
  type Events,
  type RecordedEvent,
  RecordHistory,
  type RecordHistoryProps,
} from '../../../app/history/record-history.tsx'
import type { AnyFields } from '../field.ts'
import { Changes } from './changes.tsx'

type HistoryProps<Data, Key extends readonly unknown[]> = Pick<RecordHistoryProps<Data, Key>, 'query'> & {
  fields: AnyFields
}

export function History<Data extends Events, Key extends readonly unknown[]>({
  fields,
  query,
}: HistoryProps<Data, Key>) {
  return (
    <RecordHistory
      query={query}
      pick={oncePerChange}
      changesOf={(event) => <Changes event={event} fields={fields} />}
    />
  )
}

/** A change of state records up to three events; people read the one that says most. */
function oncePerChange(events: readonly RecordedEvent[]): RecordedEvent[] {
  return events.filter(
    (event) => !events.some((another) => another.revision === event.revision && rank(another) > rank(event)),
  )
}

function rank({ type }: RecordedEvent): number {
  return type.endsWith('.status_updated') ? 0 : type.endsWith('.updated') ? 1 : 2
}
