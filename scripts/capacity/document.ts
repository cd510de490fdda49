import fs from 'node:fs'
import { type Costs, operationTable, signInTable } from '@/bench/machine/costs-file'
import { table } from '@/bench/table'
import { estimate } from './estimate'
import { type Asked, readQuestion, usage } from './options'
import { report, sizeHead, sizeRow } from './report'

/** The pages that contain output of the command. */
export const pages = ['docs/performance/scaling.md', 'docs/operate/sizing.md']

/**
 * Matches an opening comment with the command, the command's output, and the closing comment. See ADR 0003.
 */
const printed = /(<!-- npm run capacity(?: -- (.*?))? -->\n)[\s\S]*?(<!-- end -->)/g

/** Returns the page with all output of the command updated. */
export const write = (page: string): string =>
  page.replace(printed, (_all, begin: string, words = '', end: string) => {
    return `${begin}\n${print(words.split(' ').filter(Boolean))}\n\n${end}`
  })

/**
 * Returns the output of the command.
 * @throws Error for unknown arguments, invalid values, or a missing file or cost
 */
export function print(words: string[]): string {
  if (words[0] === 'costs' || words[0] === 'sign-in') {
    const costs = readCosts(words[1] ?? 'docs/performance/costs.json')
    const measured = words[0] === 'costs' ? operationTable(costs.operations) : signInTable(costs.signIn)
    return `${measured}\n\nMeasured on: ${placeOf(costs)}`
  }
  if (words[0] === 'sizes') return printSizes()
  const asked = readQuestion(words)
  if (!asked) return usage
  const costs = readCosts(asked.costs)
  return report(asked, estimate(asked, costs), placeOf(costs))
}

/**
 * Returns the commands and a table for small, medium, and large platforms. In the busiest hour, all users are
 * active, their apps send an API request every 100 seconds, and there are three sign-ins per second for every
 * 10,000 users.
 */
function printSizes(): string {
  const estimated = [10_000, 100_000, 1_000_000].map((users) => {
    const words = `--users ${users} --active 1 --api-seconds 100 --sign-ins ${(users * 3) / 10_000}`
    const asked = readQuestion(words.split(' ')) as Asked
    return { words, row: sizeRow(asked, estimate(asked, readCosts(asked.costs))) }
  })
  return `${estimated.map(({ words }) => `    npm run capacity -- ${words}`).join('\n')}

${table(
  sizeHead,
  estimated.map(({ row }) => row),
)}`
}

const placeOf = ({ machine, database }: Costs) => `${machine.replaceAll(/ {2,}/g, ', ')}; ${database}`

function readCosts(file: string): Costs {
  if (!fs.existsSync(file)) throw new Error(`The file ${file} with measured costs does not exist.`)
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Costs
}
