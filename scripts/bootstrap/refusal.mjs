/** A start that cannot go on. The message is one sentence for the operator: what is wrong and how to mend it. */
export class Refusal extends Error {
  name = 'Refusal'
}

const DEFECTS = ['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'AssertionError']

/**
 * Ends the process for an error: one sentence for what an operator can mend, the stack for a defect of ours.
 * @param {unknown} error
 * @returns {never}
 */
export function refuse(error) {
  if (!(error instanceof Error) || DEFECTS.includes(error.name)) console.error(error)
  else console.error(`\nLatchkey cannot start. ${error.message}`)
  process.exit(1)
}
