import { useQueryClient } from '@tanstack/react-query'
import { currenciesQuery } from '../../app/api/currencies.ts'
import { organizationQuery } from '../../app/api/organization.ts'
import { ExportMenu } from '../../app/transfers/export-menu.tsx'
import { spreadsheetOf } from '../../app/values/spreadsheet.ts'
import { useMoney } from '../kinds/amounts.ts'
import type { Kind } from '../kinds/kind.ts'
import { exportCsv, findAll, type Search, startExport } from '../kinds/queries.ts'
import { tableForPeople } from './people-export.ts'

/** Exports all objects of the search, from all pages: the chosen columns for people, all fields for programs. */
export function ExportButton({ kind, search, chosen }: { kind: Kind; search: Search; chosen: readonly string[] }) {
  const queryClient = useQueryClient()
  const moneyIn = useMoney(kind)
  const forPeople = async () => {
    await queryClient.ensureQueryData(currenciesQuery)
    const { time_zone: zone } = await queryClient.ensureQueryData(organizationQuery)
    return spreadsheetOf(tableForPeople(kind, chosen, await findAll(search), { moneyIn, zone }))
  }
  return (
    <ExportMenu
      what="the objects"
      fileName={`${kind.plural.toLowerCase().replaceAll(/\W+/g, '-')}-${new Date().toISOString().slice(0, 10)}`}
      forPeople={forPeople}
      forPrograms={() => exportCsv(search)}
      start={() => startExport(search)}
    />
  )
}
