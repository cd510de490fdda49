import { expect, it } from 'vitest'
import { circles } from './circles'
import { neighboursOf } from './neighbours'

const file = (name: string, ...imports: string[]) => ({
  file: `lib/${name}.ts`,
  source: imports.map((each) => `import '@/lib/${each}'`).join('\n'),
})

it('knows the neighbours of each folder at every level', () => {
  const arrows = neighboursOf([
    file('base/db/pool'),
    file('features/apps/create-app', 'base/db/pool', 'features/audit/record'),
    file('features/apps/usage/count', 'features/apps/create-app', 'features/audit/record'),
    file('features/audit/record'),
  ])
  expect(Object.fromEntries([...arrows].map(([folder, names]) => [folder, [...names]]))).toEqual({
    'lib/base': [],
    'lib/base/db': [],
    'lib/features': ['base'],
    'lib/features/apps': ['audit'],
    'lib/features/apps/usage': ['..'],
    'lib/features/audit': [],
  })
})

it('tells each circle of folders once, however long, and at whatever level', () => {
  expect(circles([file('features/a/x', 'features/b/x'), file('features/b/x', 'features/b/y')])).toEqual([])
  expect(
    circles([
      file('features/a/x', 'features/b/x'),
      file('features/b/x', 'features/c/x'),
      file('features/c/x', 'features/a/y'),
      file('features/a/deep/x', 'features/a/other/x'),
      file('features/a/other/x', 'features/a/deep/y'),
    ]),
  ).toEqual(['lib/features: a -> b -> c -> a', 'lib/features/a: deep -> other -> deep'])
})
