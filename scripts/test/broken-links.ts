import fs from 'node:fs'
import path from 'node:path'

const link = /\[([^\]]*)\]\(([^)\s]+)\)/g
const testFile = /\.(test|spec)\.tsx?$/

/**
 * Checks the relative links of one Markdown page: each leads to a file, and one that is a name in backticks, such as
 * [`is served once`](a.test.ts), to a test file that has this name.
 * @param page path of the page, to which its links are relative
 * @returns one line for each link that does not
 */
export function brokenLinks(page: string, markdown: string): string[] {
  return [...markdown.matchAll(link)].flatMap(([, text = '', target = '']) => {
    if (/^([a-z]+:|#)/i.test(target)) return []
    const file = path.join(path.dirname(page), target.replace(/#.*$/, ''))
    if (!fs.existsSync(file)) return [`${page}: there is no ${target}`]
    const [, name] = /^`(.+)`$/.exec(text) ?? []
    if (!name || !testFile.test(file) || fs.readFileSync(file, 'utf8').includes(name)) return []
    return [`${page}: ${target} has no test "${name}"`]
  })
}

/**
 * Checks that a checklist claims nothing without showing it.
 * @returns the first cell of each row of a table that is met, also in part, and has no link
 */
export function claimsWithoutProof(markdown: string): string[] {
  const rows = markdown.split('\n').filter((line) => /^\|.*\| (met|in part) \|/.test(line))
  return rows.filter((row) => !/\]\(/.test(row)).map((row) => row.split('|')[1]?.trim() ?? row)
}
