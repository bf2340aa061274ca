import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import type { Column } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import type { FreightZones, ZoneOf } from '../form/freight-times.ts'
import type { Money } from '../kinds/amounts.ts'
import {
  aliasOf,
  comparablePlaces,
  type Fields,
  isRecord,
  type Kind,
  type Place,
  type PlatformObject,
  targetOf,
} from '../kinds/kind.ts'
import { ObjectStatus } from '../kinds/status-badge.tsx'
import { Value } from '../kinds/value.tsx'

/** The columns of a list: first the id with a link to the object's page, then the chosen ones. */
export function columnsFor(
  kind: Kind,
  chosen: readonly string[],
  moneyIn: (fields: Fields) => Money,
  zonesIn: FreightZones,
): Column<PlatformObject>[] {
  // One column of times has one time zone, so that they can be compared.
  const zoneOf = zonesIn?.({})
  return [{ label: 'Id', show: IdLink }, ...placesFor(kind, chosen).map((place) => columnOf(place, moneyIn, zoneOf))]
}

/** The chosen ones behind the id. */
export function placesFor(kind: Kind, chosen: readonly string[]): Place[] {
  const places = comparablePlaces(kind)
  return chosen
    .filter((path) => path !== 'fullId')
    .map((path) => places.find((place) => place.path === path) ?? placeNotOffered(kind, path))
}

function IdLink({ id, objectKey, fullId }: PlatformObject) {
  return (
    <Anchor
      fw={600}
      size="sm"
      style={{ whiteSpace: 'nowrap' }}
      renderRoot={(props) => <Link to={`/objects/${objectKey}/${id}`} {...rowLink} {...props} />}
    >
      {fullId}
    </Anchor>
  )
}

function columnOf(
  { path, label, shape }: Place,
  moneyIn: (fields: Fields) => Money,
  zoneOf: ZoneOf | undefined,
): Column<PlatformObject> {
  const alias = targetOf(shape) && aliasOf(path)
  return {
    label,
    end: shape.type === 'money' || shape.type === 'number' || shape.type === 'integer',
    show: (object) =>
      isState(path) && typeof object[path] === 'string' ? (
        <ObjectStatus status={object[path]} />
      ) : shape.type === 'date-time' && !zoneOf ? (
        <LoadingText />
      ) : (
        <Value
          shape={shape}
          value={valueAt(object, path)}
          money={moneyIn(object)}
          referred={alias && object[alias]}
          dayOnly={path === 'createdAt' || path === 'updatedAt'}
          zone={zoneOf?.(path)}
        />
      ),
  }
}

/** The state of the object, and that of its bill. */
function isState(path: string): boolean {
  return path === 'status' || path === 'billStatusId'
}

/** A board can have columns that are not offered here: fields of what a reference points to. */
function placeNotOffered({ fields }: Kind, path: string): Place {
  const [head = '', ...rest] = path.split('.')
  const field = fields.find(({ key }) => key === head || aliasOf(key) === head)
  return {
    path,
    label: field && rest.length > 0 ? `${field.name} › ${rest.join(' › ')}` : path,
    shape: { type: 'text' },
  }
}

export function valueAt(object: Fields, path: string): unknown {
  const [head = '', ...rest] = path.split('.')
  const within = rest.length > 0 && isRecord(object[aliasOf(head)]) ? object[aliasOf(head)] : object[head]
  return rest.length > 0 && isRecord(within) ? valueAt(within, rest.join('.')) : rest.length > 0 ? undefined : within
}
