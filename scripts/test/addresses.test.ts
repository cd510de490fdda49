import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** The module that converts email addresses and domains to the form in which they are stored and compared. */
const decides = 'lib/base/mail/email-address.ts'

/** Matches other code that lowercases or validates a value. */
const byOtherMeans =
  /\.toLocale(Lower|Upper)Case\(|\.to(Lower|Upper)Case\(|\bz\.(email|regexes\.email)\b|\.email\(\)/g

/** Matches names of email addresses and domains. */
const address = /e-?mail|\bdomain\b|domain(Of|Name)|mailbox|login_?hint/i

/** Expressions near an address that lowercase or validate something else. */
const others = [
  'workspace: z.string().trim().toLowerCase()',
  // The sender and the mailbox of this instance are not compared with a user's.
  'export const mailbox = z.email(',
]

it('email addresses and domains are lowercased and validated in one file (lib/base/mail/email-address.ts)', () => {
  const found = filesLike(/^(app|components|lib)\/.*(?<!\.test)\.tsx?$/)
    .filter((file) => file !== decides && !file.startsWith('lib/generated/'))
    .flatMap((file) => {
      const source = read(file)
      return [...source.matchAll(byOtherMeans)]
        .filter(({ index }) => {
          // Includes the lines before, because a chain of calls can span several lines.
          const before = source.slice(0, index).split('\n').slice(-5).join('\n')
          const after = source.slice(index).split('\n').slice(0, 3).join('\n')
          const around = `${before}${after}`
          return address.test(around) && !others.some((known) => around.includes(known))
        })
        .map(({ index }) => `${file}:${source.slice(0, index).split('\n').length}`)
    })
  expect(found).toEqual([])
})
