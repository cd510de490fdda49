import { expect, it } from 'vitest'
import { checkOutboundUrl, isInNetworks, isPublicAddress, outboundUrlProblem } from './check-url'

it.each([
  ['1.1.1.1'],
  ['8.8.8.8'],
  ['172.15.255.255'],
  ['172.32.0.1'],
  ['100.63.255.255'],
  ['100.128.0.1'],
  ['223.255.255.254'],
  ['2606:4700:4700::1111'],
  ['2a00:1450:4001:81b::200e'],
])('isPublicAddress returns true for %s', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it.each([
  // IPv4: this network, private, loopback, link-local (cloud metadata), carrier-grade NAT
  ['0.0.0.0'],
  ['0.1.2.3'],
  ['10.0.0.1'],
  ['172.16.0.1'],
  ['172.31.255.255'],
  ['192.168.1.1'],
  ['127.0.0.1'],
  ['127.255.255.254'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['100.127.255.255'],
  // IPv4: protocol assignments, documentation, 6to4 relay, benchmarks, multicast, reserved, broadcast
  ['192.0.0.1'],
  ['192.0.2.1'],
  ['192.88.99.1'],
  ['198.18.0.1'],
  ['198.51.100.1'],
  ['203.0.113.1'],
  ['224.0.0.1'],
  ['239.255.255.255'],
  ['240.0.0.1'],
  ['255.255.255.255'],
  // IPv6: unspecified, loopback, link-local (with and without zone), unique local, site-local, multicast
  ['::'],
  ['::1'],
  ['fe80::1'],
  ['fe80::1%eth0'],
  ['febf::1'],
  ['fc00::1'],
  ['fd12:3456:789a::1'],
  ['fd00:ec2::254'],
  ['fec0::1'],
  ['ff02::1'],
  // IPv6 that contains an IPv4 address: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP-like
  ['::ffff:127.0.0.1'],
  ['::ffff:8.8.8.8'],
  ['::ffff:7f00:1'],
  ['::127.0.0.1'],
  ['::ffff:0:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['64:ff9b::8.8.8.8'],
  ['64:ff9b:1::1'],
  ['2002:7f00:1::'],
  ['2001:0:7f00:1::1'],
  // IPv6: discard, benchmarks, ORCHID, documentation, segment routing, unassigned
  ['100::1'],
  ['2001:2::1'],
  ['2001:10::1'],
  ['2001:20::1'],
  ['2001:db8::1'],
  ['3fff::1'],
  ['5f00::1'],
  ['4000::1'],
  // not a complete address
  ['127.1'],
  ['2130706433'],
  ['0x7f000001'],
  ['0177.0.0.1'],
  ['localhost'],
  ['[::1]'],
  [''],
])('isPublicAddress returns false for %j', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it('isInNetworks matches IPv4 and IPv6 networks', () => {
  expect(isInNetworks('127.0.0.9', ['127.0.0.0/8'])).toBe(true)
  expect(isInNetworks('::1', ['127.0.0.0/8', '::1/128'])).toBe(true)
  expect(isInNetworks('128.0.0.1', ['127.0.0.0/8', '::1/128'])).toBe(false)
  expect(isInNetworks('nonsense', ['0.0.0.0/0'])).toBe(false)
})

it.each([
  ['https://example.com/hook?x=1', 'https://example.com/hook?x=1'],
  ['https://example.com:443/#part', 'https://example.com/'],
  ['https://1.1.1.1/', 'https://1.1.1.1/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
])('checkOutboundUrl accepts %s', (value, href) => {
  expect(checkOutboundUrl(value).href).toBe(href)
})

it.each([
  ['http://example.com/', 'https://'],
  ['ftp://example.com/', 'https://'],
  ['file:///etc/passwd', 'https://'],
  ['//example.com/', 'https://'],
  ['not an address', 'https://'],
  [`https://example.com/${'é'.repeat(2000)}`, 'at most 2,000 characters'],
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
])('for %s, outboundUrlProblem returns a message that contains “%s”', (value, sentence) => {
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
])('outboundUrlProblem returns a message for the URL %j', (value) => {
  expect(outboundUrlProblem(value)).toEqual(expect.any(String))
})
