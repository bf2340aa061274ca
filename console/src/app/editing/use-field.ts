import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: a field of any form
type AnyForm = UseFormReturnType<any>

/** The value of one field, by its path. Only the input that reads it is drawn again when it changes; the form must be `uncontrolled` for that. */
export function useField<Value>(
  form: AnyForm,
  path: string,
): { value: Value; set: (next: Value) => void; error: ReactNode } {
  const value = form.useWatchValue(path) as Value
  const set = (next: Value) => {
    // Otherwise the first change of each field would draw the whole form again, to say that it is changed.
    form.setDirty((known) => ({ ...known, [path]: true }))
    form.setFieldValue(path, next, { forceUpdate: false })
  }
  return { value, set, error: form.errors[path] }
}
