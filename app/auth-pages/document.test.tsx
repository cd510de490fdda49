import { expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import { documentOf, readBuild } from './document'

const byNext =
  '<!DOCTYPE html><html lang="en" data-theme="dark" class="inter_1" style="--accent:#000000"><head>' +
  '<link rel="preload" as="script" href="/_next/static/a.js"/><link rel="stylesheet" href="/_next/a.css"/>' +
  '<script src="/_next/static/a.js" async="" nonce="n"></script><meta name="viewport" content="width=device-width"/>' +
  '<title>Connect a device · Latchkey</title><meta name="referrer" content="strict-origin-when-cross-origin"/>' +
  '<link rel="icon" href="/old.svg"/></head><body class="font-sans"><p>theirs</p>' +
  '<script nonce="n">self.__next_f.push([1,"<b>\\u003c/script>"])</script></body></html>'

const read = () =>
  readBuild((_req, res) => {
    res.setHeader('x-frame-options', 'DENY')
    res.setHeader('link', ['</a.woff2>; rel=preload'])
    res.setHeader('set-cookie', 'a=b')
    res.end(byNext)
  })

it('reading the build returns the headers and assets that all its pages share, but no cookies or scripts', async () => {
  expect(await read()).toEqual({
    headers: { 'x-frame-options': 'DENY', link: ['</a.woff2>; rel=preload'] },
    fontClass: 'inter_1',
    assets:
      '<link rel="stylesheet" href="/_next/a.css"/><meta name="viewport" content="width=device-width"/>',
    body: '<body class="font-sans">',
  })
})

it('an auth page’s document contains the page’s language, branding, and title', async () => {
  const page = { referrer: 'same-origin', show: async () => ({ to: '/' }) } as const
  const shown = { title: 'A <b>', say: sayIn('ar'), page: <p /> }
  const html = documentOf(await read(), page, shown, '<p>ours</p>', 'light')
  expect(html).toMatch(
    /^<!DOCTYPE html><html lang="ar" dir="rtl" data-theme="light" class="inter_1" style="--accent:light-dark\(#4f46e5, /,
  )
  expect(html).toMatch(/<head><link rel="stylesheet" href="\/_next\/a\.css"\/><meta name="viewport"[^>]*\/>/)
  expect(html).toContain(
    '<title>A &lt;b&gt; · Latchkey</title><meta name="referrer" content="same-origin"/>' +
      '<link rel="icon" href="/brand/icon.svg"/></head><body class="font-sans"><p>ours</p></body></html>',
  )
})

it.each([
  ['an error', 500, byNext],
  ['a page without a style sheet', 200, '<!DOCTYPE html><html class="x"><head></head><body></body></html>'],
])('reading the build fails if Next returns %s', async (_what, status, html) => {
  await expect(readBuild((_req, res) => void res.writeHead(status).end(html))).rejects.toThrow(String(status))
})
