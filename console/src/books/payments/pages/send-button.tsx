import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../../app/api/me.ts'
import { IconSend } from '../../../app/icons/icons.ts'
import { SendDialog } from '../../../app/mail/send-dialog.tsx'
import { partyQuery } from '../../documents/shown/parties.tsx'
import { type Payment, useSendPayment } from '../queries.ts'

/** Mails what the payment pays for: to whom we pay the remittance advice, to who paid us the receipt. */
export function SendPayment({ payment, name }: { payment: Payment; name: string }) {
  const { may } = useMe()
  const [opened, { open, close }] = useDisclosure(false)
  const canSend = may('pay') && (payment.status === 'issued' || payment.status === 'cleared')
  if (!canSend) return null
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} onClick={open}>
        Send
      </Button>
      {opened && <Dialog payment={payment} name={name} close={close} />}
    </>
  )
}

function Dialog({ payment, name, close }: { payment: Payment; name: string; close: () => void }) {
  const { id, revision, direction, partner_carrier_id, customer_id } = payment
  const [party, partyId] = partner_carrier_id
    ? (['carrier', partner_carrier_id] as const)
    : (['customer', customer_id ?? ''] as const)
  const { data } = useQuery({ ...partyQuery(party, partyId), enabled: partyId !== '' })
  const [what, receiver] = direction === 'out' ? ['remittance advice', 'carrier'] : ['receipt', 'customer']
  return (
    <SendDialog
      name={`${what} ${name}`}
      pdf={{ path: `payments/${id}`, revision }}
      sendTo={data?.email ?? null}
      withoutAddress="Enter an address"
      run={useSendPayment(id)}
      done={`The ${what} is on its way.`}
      close={close}
    >
      {data?.email
        ? `The ${what} goes to ${data.email}, the address of the ${receiver}, unless you enter another.`
        : `The ${receiver} has no e-mail address. Enter the one that the ${what} goes to.`}
    </SendDialog>
  )
}
