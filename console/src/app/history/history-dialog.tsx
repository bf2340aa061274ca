import { Modal } from '@mantine/core'
import { type Events, HistoryOf, type RecordHistoryProps } from './record-history.tsx'

type HistoryDialogProps<Data, Key extends readonly unknown[]> = RecordHistoryProps<Data, Key> & {
  name: string
  close: () => void
}

/** The history of a record that has no page of its own. */
export function HistoryDialog<Data extends Events, Key extends readonly unknown[]>({
  name,
  close,
  ...history
}: HistoryDialogProps<Data, Key>) {
  return (
    <Modal opened onClose={close} title={`History of ${name}`} size="lg">
      <HistoryOf {...history} />
    </Modal>
  )
}
