import { type Change, ChangeList, FromTo } from '../../app/history/entries.tsx'
import { FieldChanges, textOf } from '../../app/history/field-changes.tsx'
import type { RecordedEvent } from '../../app/history/record-history.tsx'
import type { Connection } from './queries.ts'
import { statusWords } from './words.ts'

type Mapping = {
  kind: string
  record_id: string
  record_name: string
  remote_id: string | null
  remote_name: string | null
}
type Recorded = { settings?: Record<string, unknown>; mappings?: readonly Mapping[] }

const labels = { name: 'Name', status: 'State', secrets_set: 'Secrets' }

/** Settings and mappings are lists: each of their entries that changed has a line of its own. */
export function ConnectionChanges({ event }: { event: RecordedEvent }) {
  const [before, after] = [(event.previous ?? {}) as Recorded, (event.data ?? {}) as Recorded]
  return (
    <>
      <FieldChanges
        event={event}
        labels={labels}
        show={(value) => statusWords[value as Connection['status']] ?? textOf(value)}
      />
      <ChangeList changes={[...settingChanges(before, after), ...mappingChanges(before, after)]} />
    </>
  )
}

function settingChanges(before: Recorded, after: Recorded): Change[] {
  if (!before.settings) return []
  const [from, to] = [before.settings, after.settings ?? {}]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((name) => from[name] !== to[name])
  return names.map((name) => ({
    key: `settings.${name}`,
    label: name,
    text: <FromTo from={textOf(from[name])} to={textOf(to[name])} />,
  }))
}

function mappingChanges(before: Recorded, after: Recorded): Change[] {
  const now = new Map(after.mappings?.map((mapping) => [keyOf(mapping), mapping]))
  return (before.mappings ?? [])
    .filter((mapping) => now.get(keyOf(mapping))?.remote_id !== mapping.remote_id)
    .map((mapping) => ({
      key: keyOf(mapping),
      label: mapping.record_name,
      text: <FromTo from={thereOf(mapping)} to={thereOf(now.get(keyOf(mapping)))} />,
    }))
}

function keyOf({ kind, record_id }: Mapping): string {
  return `${kind}.${record_id}`
}

function thereOf(mapping: Mapping | undefined): string {
  return textOf(mapping?.remote_name ?? mapping?.remote_id)
}
