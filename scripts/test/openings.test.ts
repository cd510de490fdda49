import { expect, it } from 'vitest'
import { wrongOpenings } from './openings'

const sources = [
  { file: 'lib/base/db/pool.ts', source: '' },
  {
    file: 'lib/features/apps/create-app.ts',
    source: "import '@/lib/base/db/pool'\nimport '../audit/record'",
  },
  {
    file: 'lib/features/apps/usage/count.ts',
    source: "import '../create-app'\nimport '@/lib/features/audit/record'",
  },
  { file: 'lib/features/audit/record.ts', source: '' },
]
const readme = (imports: string, start = 'x.ts') =>
  `# A\n\n- Is for that.\n- May import: ${imports}.\n- Start at [x](${start}).\n`
const all = new Map([
  ['lib/base/README.md', readme('nothing', 'db/pool.ts')],
  ['lib/base/db/README.md', readme('nothing', 'pool.ts')],
  ['lib/features/README.md', readme('`base`', 'apps/create-app.ts')],
  ['lib/features/apps/README.md', readme('`audit`', 'create-app.ts')],
  ['lib/features/apps/usage/README.md', readme('`..`', 'count.ts')],
  ['lib/features/audit/README.md', readme('nothing', 'record.ts')],
])
const but = (file: string, text: string) => wrongOpenings(sources, new Map([...all, [file, text]]))

it('asks for three lines in each folder, and for the truth in them', () => {
  expect(wrongOpenings(sources, all)).toEqual([])
  expect(but('lib/features/audit/README.md', '# Audit\n\nWrites what happened.\n')).toEqual([
    expect.stringContaining('lib/features/audit/README.md: takes a title and three lines'),
  ])
  expect(but('lib/features/apps/README.md', readme('nothing', 'create-app.ts'))).toEqual([
    'lib/features/apps/README.md: imports audit too',
  ])
  expect(but('lib/features/audit/README.md', readme('`apps`', 'record.ts'))).toEqual([
    'lib/features/audit/README.md: imports nothing of apps any more',
  ])
  expect(but('lib/features/audit/README.md', readme('nothing', 'gone.ts'))).toEqual([
    'lib/features/audit/README.md: starts at lib/features/audit/gone.ts, which is no file',
  ])
})
