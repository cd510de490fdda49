import { expect, it } from 'vitest'
import { placeOf } from './start-session'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
const later = firefox.replaceAll('130.0', '131.0')
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'

it.each([
  ['192.0.2.1', firefox, '192.0.77.9', later, 'the same place'],
  ['192.0.2.1', firefox, '::ffff:192.0.2.1', firefox, 'the same place'],
  ['192.0.2.1', firefox, '192.1.2.1', firefox, 'different places'],
  ['192.0.2.1', firefox, '192.0.2.1', safari, 'different places'],
  ['2001:db8::1', firefox, '2001:0DB8:ffff::2', firefox, 'the same place'],
  ['2001:db8::1', firefox, '2001:db9::1', firefox, 'different places'],
  ['2001::1', firefox, '2001:0:1::1', firefox, 'the same place'],
  ['::1', firefox, '::2', firefox, 'the same place'],
  [null, null, null, null, 'the same place'],
  [null, firefox, '192.0.2.1', firefox, 'different places'],
  ['not an address', firefox, null, firefox, 'the same place'],
])('placeOf treats %s (%s) and %s (%s) as %s', (ip, userAgent, otherIp, other, places) => {
  const place = placeOf({ ip, userAgent })
  expect(placeOf({ ip: otherIp, userAgent: other }) === place).toBe(places === 'the same place')
})
