import { expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import { learnFrame, withoutFrameworkScripts } from './page-frame'

const next =
  '<!DOCTYPE html><html lang="en"><head><link rel="preload" as="script" href="/_next/static/a.js"/>' +
  '<link rel="stylesheet" href="/_next/a.css"/><script src="/_next/static/a.js" async="" nonce="n"></script>' +
  '<title>Connect a device · Latchkey</title><meta name="referrer" content="strict-origin-when-cross-origin"/>' +
  '<link rel="icon" href="/brand/icon.svg"/></head><body class="font-sans"><p>theirs</p>' +
  '<script nonce="n">self.__next_f.push([1,"<b>\\u003c/script>"])</script></body></html>'

it('takes out the scripts of the framework and leaves ours', () => {
  expect(withoutFrameworkScripts(`${next}<script src="/picker.js" defer=""></script>`)).not.toMatch(
    /__next_f|_next\/static\/a\.js/,
  )
  expect(withoutFrameworkScripts('<script src="/picker.js" defer=""></script>')).toContain('/picker.js')
})

it('learns the document and the headers of a page from Next, and nothing of what is that page alone', async () => {
  const { headers, around } = await learnFrame((_req, res) => {
    res.setHeader('x-frame-options', 'DENY')
    res.setHeader('link', ['</a.woff2>; rel=preload'])
    res.setHeader('set-cookie', 'a=b')
    res.end(next)
  })
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY' })
  expect(Object.keys(headers)).toContain('link')
  expect(Object.keys(headers)).not.toContain('set-cookie')
  const page = { referrer: 'same-origin', show: async () => ({ to: '/' }) } as const
  expect(around(page, { title: 'A <b>', say: sayIn('ar') }, '<p>ours</p>')).toBe(
    '<!DOCTYPE html><html lang="ar" dir="rtl"><head><link rel="stylesheet" href="/_next/a.css"/>' +
      '<title>A &lt;b&gt; · Latchkey</title><meta name="referrer" content="same-origin"/>' +
      '<link rel="icon" href="/brand/icon.svg"/></head><body class="font-sans"><p>ours</p></body></html>',
  )
})

it.each([
  ['an error', 500, next],
  ['a page without a title', 200, '<!DOCTYPE html><html><head></head><body></body></html>'],
])('learns nothing from %s', async (_what, status, html) => {
  await expect(learnFrame((_req, res) => void res.writeHead(status).end(html))).rejects.toThrow(
    String(status),
  )
})
