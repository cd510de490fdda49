import path from 'node:path'

const LIMIT = 400

/** Names that say nothing about what is inside. */
const EMPTY_NAMES = ['util', 'utils', 'helper', 'helpers', 'misc']

/**
 * Checks one file against the layout rules of CONTRIBUTING.md: a file is a module that hides one decision, named for it.
 * @param file path from the root of the repository, with forward slashes
 * @returns one line for each rule it breaks
 */
export function wrongLayout(file: string, source: string): string[] {
  const problems: string[] = []
  const lines = source.trimEnd().split('\n').length
  if (lines > LIMIT) problems.push(`${file}: ${lines} lines; ${LIMIT} are the limit, split it by decision`)
  const names = file.split('/').map((part) => path.posix.parse(part).name)
  const empty = names.find((name) => EMPTY_NAMES.includes(name))
  if (empty) problems.push(`${file}: "${empty}" says nothing about what is inside`)
  return problems
}
