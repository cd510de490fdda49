import { expect, it } from 'vitest'
import next from '@/next.config.mjs'

it('every page tells browsers not to frame it, not to guess its kind, and to keep its address to themselves', async () => {
  const [rule] = (await next.headers?.()) ?? []
  expect(rule?.source).toBe('/:path*')
  expect(Object.fromEntries(rule?.headers.map(({ key, value }) => [key, value]) ?? [])).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  })
})
