import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { addressValuesOf } from '../billing/address.ts'
import { type Carrier, carrierQuery } from '../billing/carriers.tsx'
import { payTermsQuery } from '../pay-terms/queries.ts'
import type { BillValues } from './fields.ts'

type Defaults = Pick<BillValues, 'currency_id' | 'pay_term_id' | 'send_to_email' | 'remit_to'>

const blank: Defaults = { currency_id: null, pay_term_id: null, send_to_email: '', remit_to: addressValuesOf(null) }

/** Fills in what is known about the chosen carrier. What was typed stays; the defaults of the carrier chosen before are replaced. */
export function useCarrierDefaults(form: Pick<UseFormReturnType<BillValues>, 'setValues'>, hasLines: boolean) {
  const queryClient = useQueryClient()
  const wanted = useRef<string | null>(null)
  const filled = useRef<Partial<Defaults>>({})
  const find = async (id: string): Promise<Defaults> => {
    const carrier = await queryClient.ensureQueryData(carrierQuery(id))
    const terms = carrier.pay_term ? await queryClient.ensureQueryData(payTermsQuery({ search_term: carrier.pay_term })) : null
    return {
      currency_id: carrier.currency,
      pay_term_id: terms?.pay_terms.find(({ name }) => name === carrier.pay_term)?.id ?? null,
      send_to_email: carrier.email ?? '',
      remit_to: addressValuesOf(payeeAddress(carrier)),
    }
  }
  return async (id: string | null) => {
    wanted.current = id
    const defaults = id ? await find(id).catch(() => null) : blank
    // Another carrier may have been chosen while this one was being read.
    if (!defaults || wanted.current !== id) return
    const before = filled.current
    filled.current = defaults
    form.setValues((now) => {
      const names = (Object.keys(blank) as (keyof Defaults)[]).filter((name) => !(name === 'currency_id' && hasLines))
      const free = names.filter((name) => isEmpty(now[name]) || JSON.stringify(now[name]) === JSON.stringify(before[name]))
      return { ...now, ...Object.fromEntries(free.map((name) => [name, defaults[name]])) }
    })
  }
}

function payeeAddress({ remit_to, name, contact_name, address, city, state, postal, country }: Carrier) {
  return remit_to ?? { company_name: name, contact_name, address_1: address, city, state, postal, country }
}

function isEmpty(value: string | object | null | undefined): boolean {
  return typeof value === 'object' && value ? Object.values(value).every((part) => !part) : !value
}
