import fs from 'node:fs'
import path from 'node:path'

const link = /\[([^\]]*)\]\(([^)\s]+)\)/g
const testFile = /\.(test|spec)\.tsx?$/
/** Matches a path of this repository in backticks, without placeholders. */
const namedPath = /`((?:app|bench|components|deploy|docs|e2e|lib|prisma|public|scripts)\/[\w./()[\]-]+)`/g
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const sourceName = /(?<![\w/.-])[a-z][\w-]*(?:\.[\w-]+)*\.(?:ts|tsx|mjs)\b/g

/**
 * Checks the relative links of one Markdown page: each link must lead to an existing file or folder. If the
 * text of a link to a test file is in backticks, such as [`is served once`](a.test.ts), the file must contain
 * the text.
 * @param page the page's path; the links are relative to the page's folder
 * @returns one line for each broken link
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
 * Checks that each checklist row that is marked as met, fully or in part, has a link to a proof.
 * @returns the first cell of each such row that has no link
 */
export function claimsWithoutProof(markdown: string): string[] {
  const rows = markdown.split('\n').filter((line) => /^\|.*\| (met|in part) \|/.test(line))
  return rows.filter((row) => !/\]\(/.test(row)).map((row) => row.split('|')[1]?.trim() ?? row)
}

/**
 * Checks that the repository paths in backticks on a Markdown page exist, such as `lib/policy/scopes.ts` or
 * `lib/policy`.
 * @param root the root of the repository
 * @returns one line for each path that does not exist
 */
export function missingPaths(root: string, markdown: string): string[] {
  const paths = [...markdown.matchAll(namedPath)].map(([, named = '']) => named)
  return paths
    .filter((named) => !fs.existsSync(path.join(root, named)))
    .map((named) => `there is no ${named}`)
}

/**
 * Checks that the source files that comments mention by name, such as "(rules.ts)", exist in any folder.
 * @param files every file of the repository
 * @returns one line for each mention of a file that does not exist
 */
export function missingSources(source: string, files: readonly string[]): string[] {
  const known = new Set(files.map((file) => path.basename(file)))
  const named = [...source.matchAll(comment)].flatMap(([text]) => text.match(sourceName) ?? [])
  // Allow this name, which has a meaning in Next.js, because comments explain why the product has no such
  // file.
  known.add('loading.tsx')
  return named.filter((name) => !known.has(name)).map((name) => `there is no ${name}`)
}
