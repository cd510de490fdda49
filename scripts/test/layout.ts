import path from 'node:path'
import { importsOf, targetOf } from './imports'

/** A source file. @property file path from the root of the repository, with forward slashes */
type Source = { file: string; source: string }

/**
 * The minimum and maximum number of lines of a module. If only one file imports a shorter module, the module
 * belongs in that file.
 */
const [SHORTEST, LONGEST] = [40, 400]

/**
 * The maximum number of lines of a test file. It is higher than for a module, because the tests of one
 * concern share a fixture, and because a test file is a list of cases.
 */
const LONGEST_TEST = 700

/**
 * The maximum number of lines of a page with a merged module. If the page would be longer, the module stays
 * separate.
 */
const PAGE = 80

/** The maximum length of a comment line, as of a line of code. */
const COMMENT = 110

/** The maximum number of source files in a folder. */
const FOLDER = 16

/** Names of files and folders that do not describe the content. */
const EMPTY_NAMES = ['util', 'utils', 'helper', 'helpers', 'misc']

/**
 * Folders that contain only one kind of file. There can be many files in such a folder, and the files can be
 * short.
 */
const LISTS = [
  /^lib\/edges\/graphql\/schema$/, // API nouns
  /^components\/ui$/, // controls
]

/** Files that can be short because they cannot be merged into the only file that imports them. */
const APART = [
  // Each feature lists its tools for agents in a separate file.
  /^lib\/features\/[^/]+\/tools\.ts$/,
  // Next.js finds these files by name.
  /^app\/(.*\/)?(page|layout|template|default|route|error|global-error|loading|not-found)\.tsx?$/,
]

/**
 * Checks one file against three layout rules of CONTRIBUTING.md: the maximum number of lines, the maximum
 * length of a comment line, and names of files and folders that describe the content.
 * @param file path from the root of the repository, with forward slashes
 * @returns one line for each rule that the file breaks
 */
export function wrongLayout(file: string, source: string): string[] {
  const problems: string[] = []
  const lines = linesOf(source)
  const [longest, by] = isTest(file) ? [LONGEST_TEST, 'concern'] : [LONGEST, 'decision']
  if (lines > longest)
    problems.push(`${file}: ${lines} lines; the limit is ${longest}, so split the file by ${by}`)
  const long = source.split('\n').findIndex((line) => line.length > COMMENT && isComment(line))
  if (long >= 0) problems.push(`${file}:${long + 1}: a comment line is longer than ${COMMENT} characters`)
  const names = file.split('/').map((part) => path.posix.parse(part).name)
  const empty = names.find((name) => EMPTY_NAMES.includes(name))
  if (empty) problems.push(`${file}: "${empty}" does not describe the content`)
  return problems
}

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

/** Returns whether a line is part of a comment. Omits tool directives and verbatim text, which can't wrap. */
const isComment = (line: string): boolean =>
  /^\s*(\/\/|\*|\/\*\*)/.test(line) && !/biome-ignore|^\s*\* {5}/.test(line)

/**
 * Checks the whole product against the other layout rules: no short file that only one file imports, and no
 * folder with a single source file or too many source files. `APART`, `LISTS`, `shortModule`, and
 * `wrongFolders` define exceptions.
 * @param sources every source file of the repository. Only product files are checked. Imports by tests only
 * determine whether a module is tested
 * @returns one line for each file or folder to change
 */
export function wrongModules(sources: readonly Source[]): string[] {
  const product = sources.filter(({ file }) => isProduct(file))
  const users = usersOf(product)
  const andTests = usersOf(sources.filter(({ file }) => isProduct(file) || isTest(file)))
  return [
    ...product.flatMap((each) => {
      const own = users.get(each.file) ?? []
      return shortModule(each, own, own.length < (andTests.get(each.file)?.length ?? 0))
    }),
    ...wrongFolders(product),
  ]
}

const isProduct = (file: string): boolean =>
  /^((lib|app|components)\/.*|[^/]+)\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$|^lib\/testing\//.test(file)

const linesOf = (source: string): number => source.trimEnd().split('\n').length

/**
 * Returns an error for a short module that should be merged into the only file that imports it, or an empty
 * list.
 * @param isTested whether a test imports the module
 */
function shortModule({ file, source }: Source, users: readonly Source[], isTested: boolean): string[] {
  const lines = linesOf(source)
  const [user] = users
  if (lines >= SHORTEST || !user || users.length > 1 || !file.includes('/')) return []
  if (APART.some((each) => each.test(file)) || LISTS.some((each) => each.test(path.posix.dirname(file))))
    return []
  const onlyTypes = !/^export (?!type\b|interface\b)/m.test(source)
  // A module can stay separate if it exports only types, if it is imported dynamically, or if its directive
  // (`use client` or `use server`) differs from that of the file that imports it.
  if (onlyTypes || directiveOf(source) !== directiveOf(user.source) || isLoadedLater(file, user)) return []
  // Next.js does not allow other exports in a page, so tested code cannot be merged into a page. A module
  // also stays separate if the page would become too long.
  const isPage = /\/(page|layout)\.tsx$/.test(user.file)
  if (isPage && (isTested || lines + linesOf(user.source) > PAGE)) return []
  return [`${file}: ${lines} lines, used only by ${user.file}; merge it into that file`]
}

const directiveOf = (source: string): string | undefined => /^['"]use (client|server)['"]/.exec(source)?.[1]

const isLoadedLater = (file: string, user: Source): boolean =>
  [...user.source.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].some(
    ([, name]) => targetOf(user.file, name as string) === file.replace(/\.tsx?$/, ''),
  )

/** Maps each imported file to the files that import it. */
function usersOf(product: readonly Source[]): Map<string, Source[]> {
  const known = new Set(product.map(({ file }) => file))
  const users = new Map<string, Source[]>()
  for (const each of product) {
    const targets = importsOf(each.source).map((name) => targetOf(each.file, name))
    const files = targets.flatMap((target) =>
      ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
        .map((ending) => `${target}${ending}`)
        .filter((to) => known.has(to)),
    )
    for (const to of new Set(files)) users.set(to, [...(users.get(to) ?? []), each])
  }
  return users
}

/**
 * Checks the number of source files in each folder except the root and `LISTS`. Folders of `app` define URLs,
 * so they can contain a single file.
 * @returns one line for each folder to change
 */
function wrongFolders(product: readonly Source[]): string[] {
  const folders = new Map<string, string[]>()
  for (const { file } of product) {
    const folder = path.posix.dirname(file)
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return [...folders].flatMap(([folder, files]) => {
    if (folder === '.' || LISTS.some((each) => each.test(folder))) return []
    if (files.length === 1 && !folder.startsWith('app'))
      return [`${folder}: ${files[0]} is its only source file; move it to where it is used`]
    return files.length > FOLDER ? [`${folder}: ${files.length} source files; merge or group them`] : []
  })
}
