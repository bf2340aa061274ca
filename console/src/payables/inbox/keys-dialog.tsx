import { Kbd, Modal, Table } from '@mantine/core'
import { keyWords } from './use-keys.ts'

export function KeysDialog({ close }: { close: () => void }) {
  return (
    <Modal opened onClose={close} title="Keys">
      <Table fz="sm">
        <Table.Tbody>
          {keyWords.map(([key, words]) => (
            <Table.Tr key={key}>
              <Table.Td w="4rem">
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{words}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
