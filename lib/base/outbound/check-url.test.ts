import { expect, it } from 'vitest'
import { checkOutboundUrl, outboundUrlProblem } from './check-url'

it.each([
  ['https://example.com/hook?x=1', 'https://example.com/hook?x=1'],
  ['https://example.com:443/#part', 'https://example.com/'],
  ['https://1.1.1.1/', 'https://1.1.1.1/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
])('%s may be called', (value, href) => {
  expect(checkOutboundUrl(value).href).toBe(href)
})

it.each([
  ['http://example.com/', 'https://'],
  ['ftp://example.com/', 'https://'],
  ['file:///etc/passwd', 'https://'],
  ['//example.com/', 'https://'],
  ['not an address', 'https://'],
  ['https://user:secret@example.com/', 'user name'],
  ['https://user@example.com/', 'user name'],
  ['https://example.com:8443/', 'port 443'],
  ['https://example.com:22/', 'port 443'],
  ['https://127.0.0.1/', 'public internet'],
  ['https://127.1/', 'public internet'],
  ['https://2130706433/', 'public internet'],
  ['https://0x7f.0.0.1/', 'public internet'],
  ['https://0177.0.0.1/', 'public internet'],
  ['https://127.0.0.1./', 'public internet'],
  ['https://①②⑦.⓪.⓪.①/', 'public internet'],
  ['https://localhost/', 'public internet'],
  ['https://LOCALHOST./', 'public internet'],
  ['https://api.localhost/', 'public internet'],
  ['https://169.254.169.254/latest/meta-data', 'public internet'],
  ['https://[::1]/', 'public internet'],
  ['https://[::ffff:10.0.0.1]/', 'public internet'],
  ['https://[fd00::1]/', 'public internet'],
])('%s may not: %s', (value, sentence) => {
  expect(outboundUrlProblem(value)).toContain(sentence)
})
