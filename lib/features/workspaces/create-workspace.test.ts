import { describe, expect, it } from 'vitest'
import { slugFrom } from './create-workspace'

describe('slugFrom', () => {
  it.each([
    ['Ådå Löv & Co.', 'ada-lov-co'],
    ["Ada's workspace", 'ada-s-workspace'],
    ['  --Acme--  ', 'acme'],
    ['東京', ''],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ])('converts the name %j to the slug %j', (name, slug) => {
    expect(slugFrom(name)).toBe(slug)
  })
})
