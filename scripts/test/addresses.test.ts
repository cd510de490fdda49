import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** Where an address or a mail domain is put into the form in which it is stored and compared. */
const decides = 'lib/base/mail/email-address.ts'

/** Lowers a value, or checks its form, by other means than those of that file. */
const byOtherMeans =
  /\.toLocale(Lower|Upper)Case\(|\.to(Lower|Upper)Case\(|\bz\.(email|regexes\.email)\b|\.email\(\)/g

/** Names of what holds an address or a mail domain. */
const address = /e-?mail|\bdomain\b|domain(Of|Name)|mailbox|login_?hint/i

/** Expressions that lower something else, near a line that names an address. */
const others = [
  'workspace: z.string().trim().toLowerCase()',
  // The sender and the mailbox of this instance: they are sent to, never compared with a user's.
  'export const mailbox = z.email(',
]

it('email addresses and mail domains are lowered and checked in one file (lib/base/mail/email-address.ts)', () => {
  const found = filesLike(/^(app|components|lib)\/.*(?<!\.test)\.tsx?$/)
    .filter((file) => file !== decides && !file.startsWith('lib/generated/'))
    .flatMap((file) => {
      const source = read(file)
      return [...source.matchAll(byOtherMeans)]
        .filter(({ index }) => {
          // The statement around it: a chain of calls is broken into several lines.
          const before = source.slice(0, index).split('\n').slice(-5).join('\n')
          const after = source.slice(index).split('\n').slice(0, 3).join('\n')
          const around = `${before}${after}`
          return address.test(around) && !others.some((known) => around.includes(known))
        })
        .map(({ index }) => `${file}:${source.slice(0, index).split('\n').length}`)
    })
  expect(found).toEqual([])
})
