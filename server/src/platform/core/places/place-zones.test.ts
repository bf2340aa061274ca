import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneOfPlace } from './place-zones.ts'
import { normalTimeZone, zoneNameAt } from './time-zones.ts'

test('a place has the time zone of its country, state and postal code, and none where these do not tell it', () => {
  const places: [object | null, string | null][] = [
    [{ state: 'AZ', country: 'US' }, 'America/Phoenix'],
    [{ state: ' california ', country: 'United States' }, 'America/Los_Angeles'],
    [{ state: 'ON' }, 'America/Toronto'],
    [{ state: 'QC', country: 'Canada' }, 'America/Toronto'],
    [{ state: 'TX', country: 'US', postal: '75201' }, 'America/Chicago'],
    [{ state: 'TX', country: 'US', postal: '79901-1234' }, 'America/Denver'],
    [{ state: 'TX', country: 'US', postal: '79838' }, 'America/Denver'],
    [{ state: 'TX', country: 'US', postal: '79845' }, 'America/Chicago'],
    [{ state: 'TM', country: 'MX', postal: '87300' }, 'America/Matamoros'],
    [{ state: 'TM', country: 'MX', postal: '87000' }, 'America/Monterrey'],
    [{ state: 'TN', country: 'US', postal: '37902' }, 'America/New_York'],
    [{ state: 'IN', country: 'US', postal: '46402' }, 'America/Chicago'],
    [{ city: 'Knoxville', state: 'TN' }, 'America/New_York'],
    [{ city: 'nashville', state: 'TN' }, 'America/Chicago'],
    [{ city: 'El  Paso', state: 'Texas', country: 'US' }, 'America/Denver'],
    [{ city: 'Ciudad Juárez', state: 'CH', country: 'MX' }, 'America/Ciudad_Juarez'],
    [{ city: 'Knoxville', state: 'IA', country: 'US' }, 'America/Chicago'],
    [{ city: 'Franklin', state: 'KY', postal: '40601' }, 'America/New_York'],
    [{ state: 'BC', country: 'CA' }, 'America/Vancouver'],
    [{ state: 'BC', country: 'MX' }, 'America/Tijuana'],
    [{ country: 'Germany' }, 'Europe/Berlin'],
    [{ city: 'Springfield', country: 'US' }, null],
    [{ state: 'Bavaria' }, null],
    [{ country: 'RU' }, null],
    [{ state: 12, country: {} }, null],
    [{ state: 'constructor', country: '__proto__' }, null],
    [null, null],
  ]
  for (const [place, zone] of places)
    assert.equal(zoneOfPlace(place), zone && normalTimeZone(zone), JSON.stringify(place))
})

test('a time zone is called as people at the place call it, in summer and in winter', () => {
  const [winter, summer] = [new Date('2026-01-15T12:00:00Z'), new Date('2026-07-15T12:00:00Z')]
  const names = (zone: string) => [zoneNameAt(winter, zone), zoneNameAt(summer, zone)]
  assert.deepEqual(names('America/Phoenix'), ['MST', 'MST'])
  assert.deepEqual(names('America/Chicago'), ['CST', 'CDT'])
  assert.deepEqual(names('Europe/London'), ['GMT', 'BST'])
  assert.deepEqual(names('Europe/Berlin'), ['CET', 'CEST'])
})
