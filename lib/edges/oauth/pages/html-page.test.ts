import type { KoaContextWithOIDC } from 'oidc-provider'
import { describe, expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import { showPage } from './html-page'

/** Returns the page that a browser with these cookies receives. */
function pageFor(cookie?: string): string {
  const ctx = { headers: { cookie }, set: () => {} } as unknown as KoaContextWithOIDC
  showPage(ctx, { say: sayIn('en'), title: 'Request failed', text: [] })
  return String(ctx.body)
}

describe('an OAuth page', () => {
  it.each([
    ['latchkey.theme=dark', '<html lang="en" dir="ltr" data-theme="dark">'],
    ['latchkey.theme=light; other=1', '<html lang="en" dir="ltr" data-theme="light">'],
    ['latchkey.theme=%22%3E', '<html lang="en" dir="ltr">'],
    [undefined, '<html lang="en" dir="ltr">'],
  ])('for the Cookie header %s contains %s', (cookie, tag) => expect(pageFor(cookie)).toContain(tag))
})
