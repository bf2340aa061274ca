import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { ConflictDialog, type ConflictDialogProps } from './conflict.tsx'
import { NotSaved } from './not-saved.tsx'

type EditingProps<Values> = ConflictDialogProps<Values> & { submitLabel: string; children: ReactNode }

/** The form of `useEditing`: errors, fields, buttons, and the dialog for conflicting changes. */
export function EditingForm<Values extends Record<string, unknown>>({
  cancel,
  ...props
}: EditingProps<Values> & { cancel?: ReactNode }) {
  return (
    <>
      <Form {...props}>
        {props.children}
        <Group mt="lg">
          <SubmitButton {...props} />
          {cancel}
        </Group>
      </Form>
      <ConflictDialog {...props} />
      {props.editing.question}
    </>
  )
}

/** The same in a dialog, which is hidden while the one about a conflict is open. */
export function EditingDialog<Values extends Record<string, unknown>>({
  title,
  close,
  ...props
}: EditingProps<Values> & { title: string; close: () => void }) {
  const cancel = () => props.editing.close(close)
  return (
    <>
      <Modal opened={!props.editing.conflict} onClose={cancel} title={title}>
        <Form {...props}>
          {props.children}
          <Group justify="flex-end" mt="lg">
            <CancelButton onClick={cancel} />
            <SubmitButton {...props} />
          </Group>
        </Form>
      </Modal>
      <ConflictDialog {...props} />
      {props.editing.question}
    </>
  )
}

export function CancelButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      Cancel
    </Button>
  )
}

function Form<Values>({
  editing: { element, submit, problem },
  children,
}: Pick<EditingProps<Values>, 'editing' | 'children'>) {
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <NotSaved problem={problem} />
      {children}
    </form>
  )
}

function SubmitButton<Values>({ editing, submitLabel }: Pick<EditingProps<Values>, 'editing' | 'submitLabel'>) {
  return (
    <Button type="submit" loading={editing.form.submitting}>
      {submitLabel}
    </Button>
  )
}
