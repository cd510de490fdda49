import fs from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '../docs/security')

/** The pages that cite tests by ID, with the prefix of their headings in the index. */
const citingPages = { 'checklists.md': '', 'threat-model.md': 'Threats: ' }

const link = (id: string) => `[${id}](tests.md#${id.toLowerCase()})`
/**
 * Matches an ID, with or without a link to the index. Does not match IDs in backticks, because they are
 * examples.
 */
const cited = /\[(T\d+)\]\(tests\.md#[^)]*\)|(?<![\w[#`-])(T\d+)(?![\w\]`])/g
/** Matches a row of the index: its anchor, ID, and test. */
const indexRow = /^\| <a id="t\d+"><\/a>(T\d+) \| [^|]*?(\[`.+?`\]\([^)]+\)) \|.*$/gm

/** Returns a page with every cited ID, such as T12, as a link to the index. */
export const linkCitations = (page: string): string =>
  page.replace(cited, (_all, linked: string | undefined, bare: string) => link(linked ?? bare))

/**
 * Returns the places that cite each test, by the test's ID. With a prefix, a place is the prefix and the
 * heading. Without a prefix, a place is the heading and the first cell of the table row.
 */
export function citations(page: string, prefix = ''): Map<string, string[]> {
  const places = new Map<string, string[]>()
  let heading = ''
  for (const line of page.split('\n')) {
    heading = /^##+ (?:ASVS 5\.0, )?([^:]+)/.exec(line)?.[1] ?? heading
    const [, cell = ''] = /^\| ([^|]+) \|/.exec(line) ?? []
    const place = prefix ? `${prefix}${heading}` : `${heading} ${cell}`
    for (const [, linked, bare] of line.matchAll(cited)) {
      const id = (linked ?? bare) as string
      places.set(id, [...new Set([...(places.get(id) ?? []), place])])
    }
  }
  return places
}

/** Returns the titles of the `describe` calls around a test, outermost first and separated by ` › `. */
export function subjectOf(source: string, title: string): string {
  const lines = source.split('\n')
  const depthOf = (line = '') => line.search(/\S/)
  let at = lines.findIndex((line) => line.includes(title))
  // Go back to the start of the call, because Biome puts a long title on a line of its own.
  while (at > 0 && !/^\s*(?:it|test|describe)\b|^\s*\]\)\(/.test(lines[at] ?? '')) at--
  const subjects: string[] = []
  for (let depth = depthOf(lines[at]); at >= 0 && depth > 0; at--) {
    const line = lines[at] ?? ''
    if (depthOf(line) < 0 || depthOf(line) >= depth) continue
    depth = depthOf(line)
    const [, subject] = /^\s*describe\w*(?:\.each\(.*\))?\(\s*['"`](.+?)['"`],/.exec(line) ?? []
    if (subject) subjects.unshift(subject)
  }
  return subjects.join(' › ')
}

/**
 * Returns the text that the index shows before a linked test or group of tests. The text is empty for a test
 * without a `describe`.
 */
function subjectOfLink(test: string): string {
  const [, title = '', file = ''] = /^\[`(.+?)`\]\(([^)]+)\)$/.exec(test) ?? []
  const source = fs.readFileSync(path.join(folder, file), 'utf8')
  const group = source.split('\n').some((line) => /^\s*describe\b/.test(line) && line.includes(title))
  // Replace each placeholder for a value from the table of a `describe.each` with an ellipsis.
  const subject = subjectOf(source, title).replaceAll(/%[a-z]|\$\{[^}]*\}/g, '…')
  const words = group ? ['all tests under', subject && `${subject} ›`] : [subject]
  return [...words.filter(Boolean), ''].join(' ').replaceAll('|', '\\|')
}

/**
 * Returns the index with the subject of each test and the places that cite the test.
 * @param subject returns the text before a linked test (`subjectOfLink`)
 * @throws Error if a page cites a test that the index lacks, if the index has a test or an ID twice, or if no
 * page cites a test of the index
 */
export function updateIndex(
  index: string,
  cites: ReadonlyMap<string, string[]>,
  subject: (test: string) => string = () => '',
): string {
  const rows = [...index.matchAll(indexRow)].map(([, id = '', test = '']) => ({ id, test }))
  const ids = rows.map(({ id }) => id)
  const tests = rows.map(({ test }) => test)
  const problems = [
    ...[...cites.keys()].filter((id) => !ids.includes(id)).map((id) => `The index has no test ${id}.`),
    ...ids.filter((id) => !cites.has(id)).map((id) => `No page cites ${id}.`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `The index has ${id} twice.`),
    ...tests.filter((test, at) => tests.indexOf(test) !== at).map((test) => `The index has ${test} twice.`),
  ]
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return index.replace(
    indexRow,
    (_row, id: string, test: string) =>
      `| <a id="${id.toLowerCase()}"></a>${id} | ${subject(test)}${test} | ${cites.get(id)?.join('; ')} |`,
  )
}

/**
 * Returns the updated text of the citing pages and of the index, by path. @throws the errors of `updateIndex`
 */
export function securityPages(): Map<string, string> {
  const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8')
  const cites = new Map<string, string[]>()
  const pages = new Map<string, string>()
  for (const [file, prefix] of Object.entries(citingPages)) {
    const page = linkCitations(read(file))
    pages.set(path.join(folder, file), page)
    for (const [id, places] of citations(page, prefix)) cites.set(id, [...(cites.get(id) ?? []), ...places])
  }
  return pages.set(path.join(folder, 'tests.md'), updateIndex(read('tests.md'), cites, subjectOfLink))
}
