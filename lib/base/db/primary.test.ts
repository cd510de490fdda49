import fs from 'node:fs'
import { expect, it } from 'vitest'

/** Matches tests and code that does not use the product's database. */
const others = /\.test\.ts$|^(?:generated|testing|base\/db\/embedded)\//

it('every database connection uses the parsed connection settings', () => {
  const opened = fs
    .readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !others.test(file))
    .flatMap((file) =>
      [
        ...fs
          .readFileSync(`lib/${file}`, 'utf8')
          .matchAll(/new (?:pg\.(?:Client|Pool)|PrimaryClient)\(([\s\S]{0,200})/g),
      ].map(([, settings]) => ({
        file,
        read: /databaseTarget|connectionSettings|\.\.\.settings,/.test(String(settings)),
      })),
    )
  expect(opened.length).toBeGreaterThan(4)
  expect(opened.filter(({ read }) => !read)).toEqual([])
})
