import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** Files with checks that take the same short time for any text that fits in a request. */
const quick = [
  'lib/base/mail/email-address.ts',
  'lib/features/app-access/input.ts',
  'lib/features/identity/users/input.ts',
  'lib/features/projects/read-variables.ts',
  'lib/features/resources/input.ts',
  'lib/features/workspaces/create-workspace.ts',
]

const nested = (depth: number): string => `(?:[^()]|\\(${depth > 0 ? nested(depth - 1) : '[^()]*'}\\))*`

/** Matches the schema of a text with all methods that are called on it. */
const chain = new RegExp(`\\bz\\s*\\.string\\(\\)(?:\\s*\\.\\w+\\(${nested(3)}\\))*`, 'g')

it('a check written in code applies only to texts of limited length (shortText in lib/base/errors/input.ts)', () => {
  const found = filesLike(/^lib\/(?!base\/config\/|generated\/).*(?<!\.test)\.ts$/).filter((file) =>
    read(file)
      .match(chain)
      ?.some((schema) => /\.(refine|superRefine|check)\(/.test(schema) && !schema.includes('shortText(')),
  )
  expect(found).toEqual(quick)
})
