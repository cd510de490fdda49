/**
 * An error that stops the start. Its message explains to the instance admin what is wrong and how to fix it.
 */
export class Refusal extends Error {
  name = 'Refusal'
}

const DEFECTS = ['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'AssertionError']

/**
 * Exits with code 1. Prints the message of an error that an instance admin can fix, and the stack trace of a
 * defect.
 * @param {unknown} error
 * @returns {never}
 */
export function refuse(error) {
  if (!(error instanceof Error) || DEFECTS.includes(error.name)) console.error(error)
  else console.error(`\nLatchkey cannot start. ${error.message}`)
  process.exit(1)
}
