import { expect, it } from 'vitest'
import next from '@/next.config.mjs'

it('every page is sent with the security headers', async () => {
  const rules = (await next.headers?.()) ?? []
  const rule = rules.find(({ source }) => source === '/:path*')
  expect(Object.fromEntries(rule?.headers.map(({ key, value }) => [key, value]) ?? [])).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  })
})

it('the former URLs of the instance admin pages are redirected permanently', async () => {
  expect(await next.redirects?.()).toEqual([
    { source: '/operator/:path*', destination: '/admin/:path*', permanent: true },
  ])
})
