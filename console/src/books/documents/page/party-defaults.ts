import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { addressValuesOf } from '../../../app/values/address:ts.ts'
import { payTermsQuery } from '../../../settings/pay-terms/queries.ts'
import { billingAddressOf, type Party } from '../party.ts'
import { partyQuery } from '../shown/parties.tsx'
import type { FormValues } from '../values.ts'

/** The address that comes from the party: a carrier is paid there, a customer gets invoices there. */
const addressFields = { carrier: 'remit_to', customer: 'bill_to' } as const satisfies Record<Party, string>

/** Fills in what is known about the chosen carrier or customer. What was typed stays; the defaults of the one chosen before are replaced. */
export function usePartyDefaults(
  party: Party,
  form: Pick<UseFormReturnType<FormValues>, 'setValues'>,
  hasLines: boolean,
) {
  const queryClient = useQueryClient()
  const wanted = useRef<string | null>(null)
  const filled = useRef<FormValues>({})
  const addressField = addressFields[party]
  const blank: FormValues = {
    currency_id: null,
    pay_term_id: null,
    send_to_email: '',
    [addressField]: addressValuesOf(null),
  }
  const find = async (id: string): Promise<FormValues> => {
    const found = await queryClient.ensureQueryData(partyQuery(party, id))
    const terms = found.pay_term
      ? await queryClient.ensureQueryData(payTermsQuery({ search_term: found.pay_term }))
      : null
    return {
      currency_id: found.currency_id,
      pay_term_id: terms?.rows.find(({ name }) => name === found.pay_term)?.id ?? null,
      send_to_email: found.email ?? '',
      [addressField]: addressValuesOf(billingAddressOf(found)),
    }
  }
  return async (id: string | null) => {
    wanted.current = id
    const defaults = id ? await find(id).catch(() => null) : blank
    // Another one may have been chosen while this one was being read.
    if (!defaults || wanted.current !== id) return
    const before = filled.current
    filled.current = defaults
    form.setValues((now) => {
      const names = Object.keys(blank).filter((name) => name in now && !(name === 'currency_id' && hasLines))
      const free = names.filter(
        (name) => isEmpty(now[name]) || JSON.stringify(now[name]) === JSON.stringify(before[name]),
      )
      return { ...now, ...Object.fromEntries(free.map((name) => [name, defaults[name]])) }
    })
  }
}

function isEmpty(value: FormValues[string] | undefined): boolean {
  return typeof value === 'object' && value ? Object.values(value).every((part) => !part) : !value
}
