import fs from 'node:fs'
import { expect, it } from 'vitest'
import { pages, print, write } from './document'

it.each(pages)('the page %s contains the current output of the capacity command', (file) => {
  const page = fs.readFileSync(file, 'utf8')
  expect(page.match(/<!-- npm run capacity/g)?.length).toBeGreaterThan(2)
  expect(page.match(/<!-- npm run capacity/g)?.length).toBe(page.match(/<!-- end -->/g)?.length)
  expect(write(page)).toBe(page)
})

it('the capacity command prints the measured costs, and reports a missing costs file', () => {
  expect(print(['costs'])).toContain('| refresh-native |')
  expect(print(['sign-in'])).toContain('| consent page |')
  expect(() => print(['--costs', 'nowhere.json'])).toThrow(
    'The file nowhere.json with measured costs does not exist',
  )
})
