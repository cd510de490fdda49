import fs from 'node:fs'
import { type Costs, operationTable, signInTable } from '@/bench/machine/costs-file'
import { readQuestion, usage } from './options'
import { reckon } from './reckon'
import { report } from './report'

/** What stands between two comments of a page was printed by the command in the first. See decision 161. */
const printed = /(<!-- npm run capacity(?: -- (.*?))? -->\n)[\s\S]*?(<!-- end -->)/g

/** @returns the page with everything printed anew */
export const write = (page: string): string =>
  page.replace(printed, (_all, begin: string, words = '', end: string) => {
    return `${begin}\n${print(words.split(' ').filter(Boolean))}\n\n${end}`
  })

/**
 * What the command prints.
 * @throws Error with a sentence for words it does not know, and where there are no costs to reckon with
 */
export function print(words: string[]): string {
  if (words[0] === 'costs' || words[0] === 'sign-in') {
    const costs = readCosts(words[1] ?? 'docs/costs.json')
    const table = words[0] === 'costs' ? operationTable(costs.operations) : signInTable(costs.signIn)
    return `${table}\n\nMeasured on: ${placeOf(costs)}`
  }
  const asked = readQuestion(words)
  if (!asked) return usage
  const costs = readCosts(asked.costs)
  return report(asked, reckon(asked, costs), placeOf(costs))
}

const placeOf = ({ machine, database }: Costs) => `${machine.replaceAll(/ {2,}/g, ', ')}; ${database}`

function readCosts(file: string): Costs {
  if (!fs.existsSync(file)) throw new Error(`There is no file ${file} with measured costs.`)
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Costs
}
