import { expect, it } from 'vitest'
import { cycles } from './cycles'

const file = (name: string, ...imports: string[]) => ({
  file: `lib/${name}.ts`,
  source: imports.map((each) => `import '@/lib/${each}'`).join('\n'),
})

it('each import cycle between folders is reported once, regardless of its length and level', () => {
  expect(cycles([file('features/a/x', 'features/b/x'), file('features/b/x', 'features/b/y')])).toEqual([])
  expect(
    cycles([
      file('features/a/x', 'features/b/x'),
      file('features/b/x', 'features/c/x'),
      file('features/c/x', 'features/a/y'),
      file('features/a/deep/x', 'features/a/other/x'),
      file('features/a/other/x', 'features/a/deep/y'),
    ]),
  ).toEqual(['lib/features: a -> b -> c -> a', 'lib/features/a: deep -> other -> deep'])
})
