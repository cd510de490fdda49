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

it.each([
  'javascript:alert(1)',
  'https://:443/',
  'https://:password@example.com/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https:127.0.0.1',
  'https:\\\\127.0.0.1\\',
  'HTTPS://127.0.0.1/',
  '\thttps://127.0.0.1/',
  'https://127.0.0.1#@example.com/',
  'https://example.com@127.0.0.1/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://a.localhost/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[ff02::1]/',
])('%j names no address on the public internet', (value) => {
  expect(outboundUrlProblem(value)).toEqual(expect.any(String))
})
