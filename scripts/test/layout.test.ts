import { expect, it } from 'vitest'
import { wrongLayout } from './layout'

it('rejects files over 400 lines and meaningless names', () => {
  expect(wrongLayout('lib/a/create-app.ts', 'x\n'.repeat(400))).toEqual([])
  expect(wrongLayout('lib/a/create-app.ts', 'x\n'.repeat(401))).toEqual([
    expect.stringContaining('401 lines'),
  ])
  expect(wrongLayout('lib/utils/dates.ts', '')).toEqual([expect.stringContaining('"utils"')])
  expect(wrongLayout('lib/dates/helpers.ts', '')).toEqual([expect.stringContaining('"helpers"')])
})
