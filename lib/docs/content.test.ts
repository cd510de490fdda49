import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { docsNavigation } from './navigation'

describe('the documentation', () => {
  it('has a page behind every entry of the rail', () => {
    for (const { href } of docsNavigation.flatMap((group) => group.pages))
      expect(existsSync(`app${href}/page.tsx`), href).toBe(true)
  })
})
