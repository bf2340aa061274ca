import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react'
import { Problem } from '../../app/api/problem.ts'
import { showFirstError } from '../../app/editing/show-first-error.ts'
import { useUnsaved } from '../../app/editing/unsaved.tsx'
import { useMoney } from '../kinds/amounts.ts'
import { currencyField, type Field, type Fields, type Kind, type PlatformObject, sharedFields } from '../kinds/kind.ts'
import { type Draft, type DraftFields, draftOf, draftsOf, type Faults, hasMoney, isSame, valueIn } from './draft.ts'
import { faultsIn } from './faults.ts'
import type { ZoneOf } from './freight-times.ts'

export type Message = { title: string; words: string; stale?: boolean }

export type ObjectFormOptions = {
  kind: Kind
  /** The object as it was last read; null for a new one. */
  object: PlatformObject | null
  /** What a new one starts with. */
  start?: Fields
  save: (json: Fields, base: PlatformObject | null) => Promise<PlatformObject>
  /** Reads the object again after somebody else changed it. */
  reload?: () => Promise<PlatformObject>
}

/** The state of the form: what was typed, over which version of the object, and what is wrong with it. */
export function useObjectForm(
  { kind, object, start: given = {}, save, reload }: ObjectFormOptions,
  zoneOf: ZoneOf,
  form: RefObject<HTMLFormElement | null>,
) {
  const shared = useMemo(() => sharedFields(kind), [kind])
  const fields = [...kind.fields, ...shared]
  const moneyIn = useMoney(kind)
  const start = (from: PlatformObject | null) =>
    draftsOf(fields, from ?? { status: kind.statuses[0], ...given }, moneyIn(from ?? given).digits, zoneOf)
  const [base, setBase] = useState(object)
  const [drafts, setDrafts] = useState(() => start(object))
  const [faults, setFaults] = useState<Faults>({})
  const [message, setMessage] = useState<Message | null>(null)
  const [saving, setSaving] = useState(false)
  const currency = currencyField(kind)
  const money = moneyIn(currency ? { [currency.key]: drafts[currency.key] } : {})
  const before = start(base)
  const touched = fields.filter(({ key }) => !isSame(drafts[key], before[key]))
  const isTouched = touched.length > 0
  const { question } = useUnsaved(() => isTouched)

  const begin = (from: PlatformObject, typed: DraftFields = {}) => {
    setBase(from)
    setDrafts({ ...start(from), ...typed })
  }

  // A newer version is shown at once unless something was typed.
  useEffect(() => {
    if (object && base && object.version > base.version && !isTouched && !saving) begin(object)
  })

  const failed = (error: unknown) => {
    const { faults, rest } = faultsIn(error, fields)
    setFaults(faults)
    setMessage(messageOf(error, rest))
    showFirstError(form.current)
  }

  const submit = async () => {
    const digitsChanged = money.digits !== moneyIn(base ?? {}).digits
    const sent = fields.filter((field) => !base || touched.includes(field) || (digitsChanged && hasMoney(field)))
    const { values, wrong } = read(sent, drafts, money.digits, zoneOf)
    setFaults(wrong)
    setMessage(null)
    if (Object.keys(wrong).length > 0) return showFirstError(form.current)
    setSaving(true)
    try {
      begin(await save(Object.fromEntries(base ? values : values.filter(([, value]) => value !== null)), base))
    } catch (error) {
      failed(error)
    } finally {
      setSaving(false)
    }
  }

  /** Continues with the current version of the object; unsaved changes are kept. */
  const loadNewVersion = async () => {
    try {
      const current = (await reload?.()) as PlatformObject
      const both = touched.filter(
        (field) =>
          !isSame(before[field.key], draftOf(field, current[field.key], moneyIn(current).digits, zoneOf(field.key))),
      )
      begin(current, Object.fromEntries(touched.map(({ key }) => [key, drafts[key] as Draft])))
      setMessage(loaded(both))
    } catch (error) {
      failed(error)
    }
  }

  const discard = () => {
    setDrafts(before)
    setFaults({})
    setMessage(null)
  }

  const put = useCallback((key: string, next: Draft) => setDrafts((drafts) => ({ ...drafts, [key]: next })), [])
  return {
    shared,
    base,
    drafts,
    faults,
    money,
    message,
    saving,
    isTouched,
    question,
    put,
    submit,
    loadNewVersion,
    discard,
  }
}

/** The values of the drafts, and the errors that can be found without the server. */
function read(fields: readonly Field[], drafts: DraftFields, digits: number, zoneOf: ZoneOf) {
  const wrong: Faults = {}
  const values = fields.map(
    (field) => [field.key, valueIn(field, drafts[field.key], field.key, digits, wrong, zoneOf(field.key))] as const,
  )
  fields.forEach(({ key, name, required }, index) => {
    if (required && values[index]?.[1] === null) wrong[key] ??= `${name} is required.`
  })
  return { values, wrong }
}

function messageOf(error: unknown, rest: string | null): Message | null {
  if (error instanceof Problem && error.status === 412)
    return {
      title: 'Somebody else changed this object',
      words: 'Your changes are not saved yet, and they are not lost.',
      stale: true,
    }
  return rest ? { title: 'The changes were not saved', words: rest } : null
}

function loaded(both: readonly Field[]): Message {
  const names = both.map(({ name }) => name).join(', ')
  const words =
    both.length > 0
      ? `Both of you changed: ${names}. The form shows your values; if you save, they replace the other ones.`
      : 'Save to apply your changes.'
  return { title: 'The new version is loaded, and your changes are kept', words }
}
