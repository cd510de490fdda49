import { expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import { describeDevice } from './visitor'

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1',
    'Chrome on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'Unknown browser'],
  [null, 'Unknown browser'],
])('describeDevice describes %s as %s', (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words)
})

it('describeDevice translates the description', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko Firefox/130.0'
  expect(describeDevice(firefox, sayIn('de'))).toBe('Firefox unter Linux')
  expect(describeDevice(null, sayIn('ja'))).toBe('不明なブラウザ')
})
