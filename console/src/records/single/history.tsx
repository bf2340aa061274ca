import { ChangeList, FromTo } from '../../app/history/entries.tsx'
import { type RecordedEvent, RecordHistory } from '../../app/history/record-history.tsx'
import { type FreightZones, useFreightZones } from '../form/freight-times.ts'
import { type Money, useMoney } from '../kinds/amounts.ts'
import { type Fields, isRecord, type Kind, placesOf, type Shape } from '../kinds/kind.ts'
import { NamedObjectLink } from '../kinds/object-name.tsx'
import { historyQuery } from '../kinds/queries.ts'
import { textOfValue } from '../kinds/value.tsx'

/** Every change with the values before and after it, newest first. */
export function History({ kind, id }: { kind: Kind; id: string }) {
  const moneyIn = useMoney(kind)
  const zonesIn = useFreightZones(kind)
  return (
    <RecordHistory
      query={(limit) => historyQuery(id, limit)}
      changesOf={(event) => <Changes kind={kind} event={event} moneyIn={moneyIn} zonesIn={zonesIn} />}
    />
  )
}

type ChangesProps = {
  kind: Kind
  event: RecordedEvent
  moneyIn: (fields: Fields) => Money
  zonesIn: FreightZones
}

function Changes({ kind, event, moneyIn, zonesIn }: ChangesProps) {
  const after = isRecord(event.data) ? event.data : {}
  const before = isRecord(event.previous) ? event.previous : {}
  const places = placesOf(kind)
  const changes = Object.keys(before).map((key) => {
    const place = places.find(({ path }) => path === key)
    const shape: Shape = place?.shape ?? { type: 'text' }
    const shown = (fields: Fields) => (
      <ValueThen
        shape={shape}
        value={fields[key]}
        money={moneyIn({ ...after, ...fields })}
        zone={zonesIn?.({ ...after, ...fields })(key)}
      />
    )
    return { key, label: place?.label ?? key, text: <FromTo from={shown(before)} to={shown(after)} /> }
  })
  return <ChangeList changes={changes} />
}

/** The value of a field; for a reference, a link to the object. */
type ValueThenProps = { shape: Shape; value: unknown; money: Money; zone: string | undefined }

function ValueThen({ shape, value, money, zone }: ValueThenProps) {
  if (shape.type === 'reference' && shape.objectKey && typeof value === 'string')
    return <NamedObjectLink objectKey={shape.objectKey} id={value} inText />
  return textOfValue(shape, value, money, zone)
}
