import { expect, it } from 'vitest'
import next from '@/next.config.mjs'

it('sends the security headers with every page', async () => {
  const rules = (await next.headers?.()) ?? []
  const rule = rules.find(({ source }) => source === '/:path*')
  expect(Object.fromEntries(rule?.headers.map(({ key, value }) => [key, value]) ?? [])).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  })
})

it('redirects the former addresses of the instance admin’s pages permanently', async () => {
  expect(await next.redirects?.()).toEqual([
    { source: '/operator/:path*', destination: '/admin/:path*', permanent: true },
  ])
})
