import { regionOf } from '../../platform/core/places/countries.ts'
import { greatCircleKm } from '../arrival-times/estimate.ts'
import type { Stop } from '../stops/itinerary/model.ts'
import { coordinatesOf } from './model.ts'

/** How far it is from one stop to the next; not exact where only the states are known, between which it is at least so far. */
export type Leg = { km: number; isExact: boolean }

/** By coordinates, or by the distance that was entered, or else by the states; null where nothing is known. */
export function legOf(from: Stop, to: Stop, { detour, entered }: { detour: number; entered: unknown }): Leg | null {
  const [one, other] = [coordinatesOf(from.address), coordinatesOf(to.address)]
  if (one && other) return { km: greatCircleKm(one, other) * detour, isExact: true }
  if (typeof entered === 'number' && entered > 0) return { km: entered, isExact: true }
  const [here, there] = [boxOf(from.address), boxOf(to.address)]
  const km = here && there ? gapKm(here, there) : 0
  return km > 0 ? { km, isExact: false } : null
}

/** South, west, north and east, in degrees, drawn a little too wide. */
type Box = readonly [number, number, number, number]

/** As far as two states are apart where they are closest: no place in the one is closer to a place in the other. */
function gapKm([south, west, north, east]: Box, [south2, west2, north2, east2]: Box): number {
  const [latitude, latitude2] =
    north < south2
      ? [north, south2]
      : north2 < south
        ? [south, north2]
        : [Math.min(north, north2), Math.min(north, north2)]
  const [longitude, longitude2] = east < west2 ? [east, west2] : east2 < west ? [west, east2] : [0, 0]
  return greatCircleKm({ latitude, longitude }, { latitude: latitude2, longitude: longitude2 })
}

function boxOf(address: unknown): Box | null {
  const { country, state } = regionOf(address)
  return boxes.get(`${country}-${state}`) ?? null
}

const boxes: ReadonlyMap<string, Box> = new Map(
  Object.entries({
    ...{
      'US-AL': [30.1, -88.6, 35.1, -84.8],
      'US-AR': [32.9, -94.7, 36.6, -89.6],
      'US-AZ': [31.2, -114.9, 37.1, -109.0],
      'US-CA': [32.4, -124.6, 42.1, -114.1],
    },
    ...{
      'US-CO': [36.9, -109.1, 41.1, -102.0],
      'US-CT': [40.9, -73.8, 42.1, -71.7],
      'US-DC': [38.7, -77.2, 39.1, -76.8],
      'US-DE': [38.4, -75.9, 39.9, -75.0],
    },
    ...{
      'US-FL': [24.3, -87.7, 31.1, -79.9],
      'US-GA': [30.3, -85.7, 35.1, -80.7],
      'US-IA': [40.3, -96.7, 43.6, -90.1],
      'US-ID': [41.9, -117.3, 49.1, -111.0],
    },
    ...{
      'US-IL': [36.9, -91.6, 42.6, -87.0],
      'US-IN': [37.7, -88.2, 41.8, -84.7],
      'US-KS': [36.9, -102.1, 40.1, -94.5],
      'US-KY': [36.4, -89.6, 39.2, -81.9],
    },
    ...{
      'US-LA': [28.8, -94.1, 33.1, -88.7],
      'US-MA': [41.1, -73.6, 43.0, -69.8],
      'US-MD': [37.8, -79.5, 39.8, -75.0],
      'US-ME': [42.9, -71.1, 47.5, -66.9],
    },
    ...{
      'US-MI': [41.6, -90.5, 48.4, -82.1],
      'US-MN': [43.4, -97.3, 49.5, -89.4],
      'US-MO': [35.9, -95.8, 40.7, -89.0],
      'US-MS': [30.1, -91.7, 35.1, -88.0],
    },
    ...{
      'US-MT': [44.3, -116.1, 49.1, -104.0],
      'US-NC': [33.7, -84.4, 36.7, -75.4],
      'US-ND': [45.9, -104.1, 49.1, -96.5],
      'US-NE': [39.9, -104.1, 43.1, -95.2],
    },
    ...{
      'US-NH': [42.6, -72.6, 45.4, -70.6],
      'US-NJ': [38.8, -75.6, 41.4, -73.8],
      'US-NM': [31.2, -109.1, 37.1, -102.9],
      'US-NV': [34.9, -120.1, 42.1, -113.9],
    },
    ...{
      'US-NY': [40.4, -79.8, 45.1, -71.8],
      'US-OH': [38.3, -84.9, 42.1, -80.4],
      'US-OK': [33.5, -103.1, 37.1, -94.3],
      'US-OR': [41.9, -124.7, 46.4, -116.4],
    },
    ...{
      'US-PA': [39.6, -80.6, 42.4, -74.6],
      'US-RI': [41.1, -71.9, 42.1, -71.1],
      'US-SC': [32.0, -83.4, 35.3, -78.4],
      'US-SD': [42.4, -104.1, 46.0, -96.4],
    },
    ...{
      'US-TN': [34.9, -90.4, 36.8, -81.6],
      'US-TX': [25.7, -106.7, 36.6, -93.4],
      'US-UT': [36.9, -114.1, 42.1, -108.9],
      'US-VA': [36.4, -83.8, 39.6, -75.1],
    },
    ...{
      'US-VT': [42.6, -73.5, 45.1, -71.4],
      'US-WA': [45.5, -124.9, 49.1, -116.8],
      'US-WI': [42.4, -93.0, 47.4, -86.2],
      'US-WV': [37.1, -82.7, 40.7, -77.6],
    },
    ...{ 'US-WY': [40.9, -111.1, 45.1, -104.0], 'US-AK': [51.0, -180, 71.5, -129.9] },
    ...{
      'CA-AB': [48.9, -120.1, 60.1, -109.9],
      'CA-BC': [48.2, -139.1, 60.1, -114.0],
      'CA-MB': [48.9, -102.1, 60.1, -88.9],
      'CA-NB': [44.5, -69.1, 48.1, -63.7],
    },
    ...{
      'CA-NL': [46.5, -67.9, 60.5, -52.5],
      'CA-NS': [43.3, -66.4, 47.1, -59.6],
      'CA-ON': [41.6, -95.2, 56.9, -74.3],
      'CA-PE': [45.9, -64.5, 47.1, -61.9],
    },
    ...{ 'CA-QC': [44.9, -79.8, 62.7, -57.0], 'CA-SK': [48.9, -110.1, 60.1, -101.3] },
  } satisfies Record<string, Box>),
)
