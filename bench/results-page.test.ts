import { expect, it } from 'vitest'
import { resultsPage } from './results-page'

const head = '2026-01-01T00:00:00.000Z  Some CPU, 2 cores, Node v20\nPostgreSQL 18.4, fsync on\n'
const goals = (verdict: string) =>
  `\n| goal | measured |  |\n| --- | --- | --- |\n| refresh-web: at least 0.60 x p1 | 0.50 | ${verdict} |\n| refresh-web: at least 3.00 x hydra |  | not measured here |\n`
const operation = `
### refresh-web
rotation

| target | rps | min-max | p50 ms | p99 ms | server us | database us | both us | failures | x CPU | x rps |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| p1 | 2,000 | 1-2 | 1.00 | 2.00 | 100 | 100 | 200 | 0 | 0.13 | 2.00 |
| latchkey | 1,000 | 1-2 | 1.00 | 2.00 | 1,000 | 500 | 1,500 | 0 |  |  |
`

it('the results page shows a mode’s command and output, and a summary of the goals', () => {
  const output = head + operation + goals('**missed**')
  const page = resultsPage([{ mode: 'compare', args: ['--warm', '9'], end: 'good', output }])
  expect(page).toContain('- PostgreSQL 18.4, fsync on\n')
  expect(page).toContain('2 goals: 0 met, 1 missed, 1 not measured here.')
  expect(page.match(/at least 0.60 x p1/g)).toHaveLength(1)
  expect(page).toContain('    npm run bench -- compare --warm 9\n')
  expect(page).toContain('| latchkey | 1,000 | 1-2 |')
  expect(page).toContain('| refresh-web | 1,000 | 2,000 |')
})

it('the results page shows the number of statements per operation', () => {
  expect(resultsPage([])).toMatch(/\| metadata \| 0 \| 0 \|/)
})

it('the results page shows the output of a stopped mode', () => {
  const page = resultsPage([
    { mode: 'compare', args: [], end: 'stopped', output: head + operation },
    { mode: 'memory', args: [], end: 'failed', output: '' },
  ])
  expect(page).toContain('The time limit ended this mode.')
  expect(page).toContain('### refresh-web')
  expect(page).toContain('This run measured no goals.')
  expect(page).toContain('This mode printed no output.')
})
