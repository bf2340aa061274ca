import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPublic } from './addresses.ts'

const inside = [
  ...[
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '169.254.0.1',
  ],
  ...[
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
  ],
  ...['168.63.129.16', '192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::7f00:1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'fdff::1',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    '3fff::1',
  ],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:10.0.0.1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
  ],
  ...[
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::1',
    '2002:7f00:1::1',
    '2002:a00:1::',
    '2002:c0a8:101::5',
    '2001:0:53aa:64c::1',
    '2001:20::1',
    '5f00::1',
    '4000::1',
  ],
]
const outside = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '168.63.129.17',
  '223.255.255.255',
]
const outsideV6 = [
  '2606:4700::1111',
  '2a00:1450:4001:82b::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2001:4860:4860::8888',
]

describe('an address', () => {
  test('of this machine, of a private network, of a link, of a cloud’s own services, or set aside is not public, in any spelling', () => {
    assert.deepEqual(inside.filter(isPublic), [])
  })

  test('of the internet is public, also where IPv6 carries it', () => {
    assert.deepEqual(
      [...outside, ...outsideV6].filter((address) => !isPublic(address)),
      [],
    )
  })

  test('that is none is not public', () => {
    assert.deepEqual(
      ['', 'localhost', '2130706433', '0x7f.1', '127.1', '1.2.3', '1.2.3.4.5', '[::1]', ':::', '1.1.1.1 '].filter(
        isPublic,
      ),
      [],
    )
  })
})
