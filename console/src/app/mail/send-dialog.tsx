import { Box, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useUnsaved } from '../editing/unsaved.tsx'
import { Failed } from '../parts/failed.tsx'
import { bodyOf, type Mailing, noMailing } from './mailing.ts'
import { PdfPreview } from './pdf-preview.tsx'
import type { PdfPlace } from './queries.ts'
import styles from './send-dialog.module.css'

type SendDialogProps = {
  /** What is sent, as in a title. */
  name: string
  /** What follows from it. */
  children: ReactNode
  pdf: PdfPlace
  /** The address that it goes to where none is entered. */
  sendTo: string | null
  /** What happens where there is no address at all. */
  withoutAddress: string
  run: {
    mutate: (mailing: Partial<Mailing>, options: { onSuccess: (answer?: unknown) => void }) => void
    isPending: boolean
    error: unknown
  }
  /** Instead of the error as it is. */
  refused?: ReactNode
  done: string
  close: () => void
}

/** To whom something is mailed, with which words, and next to them the PDF that is attached. */
export function SendDialog({
  name,
  children,
  pdf,
  sendTo,
  withoutAddress,
  run,
  refused,
  done,
  close,
}: SendDialogProps) {
  const [mailing, setMailing] = useState<Mailing>(noMailing)
  const input = (field: keyof Mailing) => ({
    value: mailing[field],
    onChange: (event: { currentTarget: { value: string } }) =>
      setMailing({ ...mailing, [field]: event.currentTarget.value }),
  })
  const { close: leave, question } = useUnsaved(() => Object.values(mailing).some((typed) => typed.trim() !== ''))
  const cancel = () => leave(close)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const onSuccess = (answer?: unknown) => {
      close()
      notifications.show({ message: `${done}${whatWasMailed(answer)}` })
    }
    run.mutate(bodyOf(mailing), { onSuccess })
  }
  return (
    <Modal opened onClose={cancel} title={`Send ${name}`} size="70rem">
      <div className={styles.sides}>
        <form onSubmit={submit} noValidate>
          <Text size="sm" mb="md">
            {children}
          </Text>
          <Stack gap="sm">
            <TextInput
              label="To"
              placeholder={sendTo ?? withoutAddress}
              description="E-mail addresses, with commas between them."
              autoComplete="off"
              data-autofocus
              {...input('to')}
            />
            <TextInput label="Copy to" autoComplete="off" {...input('cc')} />
            <TextInput
              label="Subject"
              description="If you leave it empty, it names the document and your organization."
              maxLength={255}
              {...input('subject')}
            />
            <Textarea label="Message" maxLength={10_000} autosize minRows={3} maxRows={12} {...input('message')} />
          </Stack>
          {refused ?? (run.error ? <Failed error={run.error} /> : null)}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" loading={run.isPending}>
              Send
            </Button>
          </Group>
        </form>
        <Box component="section" aria-label="Attached PDF" className={styles.preview} tabIndex={0}>
          <PdfPreview pdf={pdf} name={name} />
        </Box>
      </div>
      {question}
    </Modal>
  )
}

/** The answers about documents say whether they were mailed; those about mails alone are the mail. */
function whatWasMailed(answer: unknown): string {
  const { mail, mailed, mailed_to = [] } = (answer ?? {}) as { mail?: unknown; mailed?: boolean; mailed_to?: string[] }
  if (mail !== undefined || mailed === undefined) return ''
  return mailed ? ` It is being mailed to ${mailed_to.join(', ')}.` : ' Nobody was mailed: there is no address.'
}
