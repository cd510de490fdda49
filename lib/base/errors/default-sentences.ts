/** What zod finds wrong, as far as it is said here. */
type Issue = {
  code?: string
  origin?: string
  maximum?: number | bigint
  minimum?: number | bigint
  input?: unknown
}

const count = (issue: Issue, bound: number | bigint | undefined) =>
  `${Number(bound).toLocaleString('en')} ${issue.origin === 'string' ? 'characters' : 'entries'}`

const isCounted = (issue: Issue) => issue.origin === 'string' || issue.origin === 'array'

/**
 * A sentence for a person where a rule of the input brings none of its own: what is wrong and how to mend it.
 * @returns undefined for what zod may say in its own words
 */
export function defaultSentence(issue: Issue): string | undefined {
  if (issue.code === 'too_big' && isCounted(issue)) return `Use at most ${count(issue, issue.maximum)}.`
  if (issue.code === 'too_small' && isCounted(issue)) {
    return Number(issue.minimum) === 1 ? 'Fill this in.' : `Use at least ${count(issue, issue.minimum)}.`
  }
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'Fill this in.' : 'This has the wrong form.'
  if (issue.code === 'invalid_value') return 'Choose one of the values on offer.'
  return undefined
}
