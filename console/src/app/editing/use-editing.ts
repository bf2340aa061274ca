import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { fieldErrors, Problem } from '../api/problem.ts'
import { showFirstError } from './show-first-error.ts'
import { useUnsaved } from './unsaved.tsx'

/** A record as a form shows it, with its revision. */
export type Version<Values> = { revision: number; values: Values }

export type EditSession<Values> = {
  form: UseFormReturnType<Values>
  element: RefObject<HTMLFormElement | null>
  submit: (event?: React.FormEvent<HTMLFormElement>) => void
  problem: string | null
  /** Set when somebody else changed the record: its values when editing began, and its current version. */
  conflict: { before: Values; now: Version<Values> } | null
  /** Continues with the new version, with or without the changes made here. */
  resolve: (keep: boolean) => void
  dismiss: () => void
  /** Closes the form, after a question if something was typed. */
  close: (then: () => void) => void
  question: ReactNode
}

type Options<Values> = {
  /** The newest version that was read. */
  start: Version<Values>
  load: () => Promise<Version<Values>>
  /** Returns the new version if the form stays open. */
  save: (changes: Partial<Values>, revision: number, all: Values) => Promise<Version<Values> | undefined>
  /** The field names that errors of the server can have. */
  fields: readonly string[]
  validate?: (values: Values) => FormErrors
  /** Every input reads its own value (`useWatchValue`), so that typing does not draw the whole form again. */
  eachInputWatches?: boolean
}

/** A form over a record that others may edit too: only changed fields are sent, on condition that nobody else changed the record, and nothing typed is lost. */
export function useEditing<Values extends Record<string, unknown>>(options: Options<Values>): EditSession<Values> {
  const { start, load, save, fields, validate, eachInputWatches = false } = options
  const [base, setBase] = useState(start)
  const [problem, setProblem] = useState<string | null>(null)
  const [conflict, setConflict] = useState<EditSession<Values>['conflict']>(null)
  const element = useRef<HTMLFormElement>(null)
  const isSaved = useRef(false)
  const form = useForm<Values>({
    mode: eachInputWatches ? 'uncontrolled' : 'controlled',
    initialValues: start.values,
    ...(validate && { validate }),
  })
  const { close, question } = useUnsaved(() => !isSaved.current && !isSame(base.values, form.getValues()))
  const begin = (from: Version<Values>, typed: Partial<Values> = {}) => {
    setBase(from)
    form.setValues({ ...from.values, ...typed })
  }

  // A newer version is shown at once unless something was typed. If its fields are the same, only the revision is taken over.
  useEffect(() => {
    if (start.revision <= base.revision || form.submitting || conflict) return
    if (isSame(start.values, base.values)) setBase(start)
    else if (isSame(base.values, form.getValues())) begin(start)
  })

  const showErrors = (error: unknown) => {
    const { byField, rest } = fieldErrors(error, fields)
    form.setErrors(byField)
    setProblem(rest)
    showFirstError(element.current)
  }
  const submit = form.onSubmit(
    async (values) => {
      setProblem(null)
      try {
        const now = await save(changesIn(base.values, values), base.revision, values)
        if (now) begin(now, changesIn(values, form.getValues()))
        else isSaved.current = true
      } catch (error) {
        if (!(error instanceof Problem && error.status === 412)) return showErrors(error)
        await load().then((now) => setConflict({ before: base.values, now }), showErrors)
      }
    },
    () => showFirstError(element.current),
  )
  const resolve = (keep: boolean) => {
    if (!conflict) return
    begin(conflict.now, keep ? changesIn(base.values, form.getValues()) : {})
    form.clearErrors()
    setConflict(null)
  }
  return { form, element, submit, problem, conflict, resolve, dismiss: () => setConflict(null), close, question }
}

export function changesIn<Values extends Record<string, unknown>>(before: Values, after: Values): Partial<Values> {
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, after[key]])) as Partial<Values>
}

export function isSame<Values extends Record<string, unknown>>(one: Values, other: Values): boolean {
  return Object.keys(changesIn(one, other)).length === 0
}
