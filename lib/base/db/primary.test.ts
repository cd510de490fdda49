import fs from 'node:fs'
import { expect, it } from 'vitest'

/** What is not the product's own database, and tests. */
const others = /\.test\.ts$|^(?:generated|testing|base\/db\/embedded)\//

it('parses the address of every connection of the product', () => {
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
