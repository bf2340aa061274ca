import { type RefObject, useEffect, useRef, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { showFirstError } from '../parts/show-first-error.ts'
import { useMoney } from './amounts.ts'
import { type Draft, type DraftFields, draftOf, draftsOf, type Faults, hasMoney, same, valueIn } from './draft.ts'
import { faultsIn } from './faults.ts'
import { currencyField, type Field, type Fields, type Kind, type PlatformObject, sharedFields } from './kind.ts'

export type Trouble = { title: string; words: string; stale?: boolean }

export type Saving = {
  kind: Kind
  /** The object as the server has it; none when it is to be made. */
  object: PlatformObject | null
  save: (json: Fields, base: PlatformObject | null) => Promise<PlatformObject>
  /** Reads the object anew, when someone else was faster. */
  reload?: () => Promise<PlatformObject>
}

/** What was typed over which version of an object, what is wrong with it, and the ways on from there. */
export function useObjectForm({ kind, object, save, reload }: Saving, form: RefObject<HTMLFormElement | null>) {
  const fields = [...kind.fields, ...sharedFields(kind)]
  const moneyIn = useMoney(kind)
  const start = (from: PlatformObject | null) => draftsOf(fields, from ?? { status: kind.statuses[0] }, moneyIn(from ?? {}).digits)
  const [base, setBase] = useState(object)
  const [drafts, setDrafts] = useState(() => start(object))
  const [faults, setFaults] = useState<Faults>({})
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [saving, setSaving] = useState(false)
  const goesOn = useRef(false)
  const currency = currencyField(kind)
  const money = moneyIn(currency ? { [currency.key]: drafts[currency.key] } : {})
  const before = start(base)
  const touched = fields.filter(({ key }) => !same(drafts[key], before[key]))
  const isTouched = touched.length > 0

  const begin = (from: PlatformObject, typed: DraftFields = {}) => {
    setBase(from)
    setDrafts({ ...start(from), ...typed })
  }

  // What came from the server meanwhile is shown at once where nobody is typing.
  useEffect(() => {
    if (object && base && object.version > base.version && !isTouched && !saving) begin(object)
  })

  const failed = (error: unknown) => {
    const { faults, rest } = faultsIn(error, fields)
    setFaults(faults)
    setTrouble(troubleOf(error, rest))
    showFirstError(form.current)
  }

  const submit = async () => {
    const moneyMoved = money.digits !== moneyIn(base ?? {}).digits
    const sent = fields.filter((field) => !base || touched.includes(field) || (moneyMoved && hasMoney(field)))
    const { values, wrong } = read(sent, drafts, money.digits)
    setFaults(wrong)
    setTrouble(null)
    if (Object.keys(wrong).length > 0) return showFirstError(form.current)
    setSaving(true)
    goesOn.current = true
    try {
      begin(await save(Object.fromEntries(base ? values : values.filter(([, value]) => value !== null)), base))
    } catch (error) {
      failed(error)
    } finally {
      setSaving(false)
      goesOn.current = false
    }
  }

  /** Starts from what the server has now; what was typed and not saved stays. */
  const loadTheirs = async () => {
    try {
      const theirs = (await reload?.()) as PlatformObject
      const both = touched.filter((field) => !same(before[field.key], draftOf(field, theirs[field.key], moneyIn(theirs).digits)))
      begin(theirs, Object.fromEntries(touched.map(({ key }) => [key, drafts[key] as Draft])))
      setTrouble(loaded(both))
    } catch (error) {
      failed(error)
    }
  }

  const discard = () => {
    setDrafts(before)
    setFaults({})
    setTrouble(null)
  }

  const put = (key: string, next: Draft) => setDrafts((drafts) => ({ ...drafts, [key]: next }))
  return { base, drafts, faults, money, trouble, saving, goesOn, isTouched, put, submit, loadTheirs, discard }
}

/** What the drafts of some fields mean, and what is wrong with them before anyone is asked. */
function read(fields: readonly Field[], drafts: DraftFields, digits: number) {
  const wrong: Faults = {}
  const values = fields.map((field) => [field.key, valueIn(field, drafts[field.key], field.key, digits, wrong)] as const)
  fields.forEach(({ key, name, required }, index) => {
    if (required && values[index]?.[1] === null) wrong[key] ??= `${name} is required.`
  })
  return { values, wrong }
}

function troubleOf(error: unknown, rest: string | null): Trouble | null {
  if (error instanceof Problem && error.status === 412)
    return { title: 'Someone else has changed this meanwhile', words: 'Nothing was saved, and nothing you typed is lost.', stale: true }
  return rest ? { title: 'Not saved', words: rest } : null
}

function loaded(both: readonly Field[]): Trouble {
  const names = both.map(({ name }) => name).join(', ')
  const words = both.length > 0 ? `You both changed: ${names}. Here stands what you typed; saving puts it in place of theirs.` : 'Save when you are ready.'
  return { title: 'Their changes are loaded, yours are kept', words }
}
