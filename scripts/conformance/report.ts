import type { ModuleResult } from './suite'

/** The results of one plan, with what produced them. */
export type PlanResult = {
  name: string
  title: string
  suite: string
  commit: string
  /** How many modules the plan has. */
  planned: number
  modules: ModuleResult[]
}

const outcomes = ['PASSED', 'WARNING', 'REVIEW', 'SKIPPED', 'FAILED'] as const

const [begin, end] = ['<!-- results: begin -->', '<!-- results: end -->'] as const

/** Prints the results as Markdown: a row for each plan, and a row for each module that did not simply pass. */
export function printResults(results: readonly PlanResult[]): string {
  const rows = results.map(({ title, modules, planned, suite, commit }) => {
    const counts = outcomes.map((outcome) => modules.filter(({ result }) => result === outcome).length)
    return row([title, planned, ...counts, planned - modules.length, suite, `\`${commit}\``])
  })
  const open = results.flatMap(({ title, modules }) =>
    modules
      .filter(({ result }) => result !== 'PASSED')
      .map(({ module, result, conditions }) =>
        row([title, `\`${module}\``, result.toLowerCase(), conditions[0] ? shorten(conditions[0]) : '']),
      ),
  )
  return [
    row([
      'Plan',
      'Modules',
      'Passed',
      'Warning',
      'Review',
      'Skipped',
      'Failed',
      'Not run',
      'Suite',
      'Latchkey',
    ]),
    row(Array(10).fill('---')),
    ...rows,
    '',
    'Modules with another result than *passed*, and the first condition that the suite reports:',
    '',
    row(['Plan', 'Module', 'Result', 'Condition']),
    row(Array(4).fill('---')),
    ...open,
  ].join('\n')
}

/**
 * Returns the page with its results replaced.
 * @throws Error if the page has no place for results
 */
export function replaceResults(page: string, results: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page needs the lines ${begin} and ${end}.`)
  return `${page.slice(0, from)}${begin}\n\n${results}\n\n${page.slice(to)}`
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

const longest = 160

/** Keeps a condition in one cell, without the line breaks and markup that it may carry. */
function shorten(condition: string): string {
  const text = condition.replace(/\s+/g, ' ').replaceAll('|', '/').replaceAll('<', '(').replaceAll('>', ')')
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
