import { expect, it } from 'vitest'
import { wrongLayout } from './layout'

it('refuses long files and empty names', () => {
  expect(wrongLayout('lib/a/create-app.ts', 'x\n'.repeat(250))).toEqual([])
  expect(wrongLayout('lib/a/create-app.ts', 'x\n'.repeat(251))).toEqual([
    expect.stringContaining('251 lines'),
  ])
  expect(wrongLayout('lib/utils/dates.ts', '')).toEqual([expect.stringContaining('"utils"')])
  expect(wrongLayout('lib/dates/helpers.ts', '')).toEqual([expect.stringContaining('"helpers"')])
})
