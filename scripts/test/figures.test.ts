import fs from 'node:fs'
import { expect, it } from 'vitest'
import { figuresByHand } from './figures'

it('figuresByHand finds a measured value in a section without a command', () => {
  expect(figuresByHand('# A\n\nIt took 7.1 s.\n\n## B\n\n    npm run faults\n\n12 ms')).toEqual([
    'It took 7.1 s.',
  ])
  expect(figuresByHand('## Stopping\n\nIt waits eight seconds, 30 days or 5 %.')).toEqual([])
})

const pages = ['docs/operate', 'docs/deploy'].flatMap((folder) =>
  fs.readdirSync(folder).map((file) => `${folder}/${file}`),
)

it.each(pages)('every measured value in %s is in a section with a command', (page) => {
  expect(figuresByHand(fs.readFileSync(page, 'utf8'))).toEqual([])
})
