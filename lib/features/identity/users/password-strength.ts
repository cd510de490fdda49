import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'

/** The data about a password's owner that attackers often know and try first. */
export type PasswordOwner = { name: string; email: string }

/**
 * The number of characters that the estimator checks. The rest of a longer password is ignored, because the
 * cost of a check grows faster than the length.
 */
const judgedLength = 64

/**
 * The minimum number of guesses that a password must withstand. The limits of ADR 0027 allow about this many
 * guesses against an account in two years. This number is also the boundary between the estimator's scores
 * "very guessable" and "somewhat guessable" (score 2).
 */
const fewestGuesses = 1e6

/**
 * Returns the estimator. Its list of 49,000 common passwords (about 6 MB) is loaded when the first new
 * password is checked, and then stays in memory.
 */
const estimator = () =>
  remember('password-strength', async () => {
    const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ])
    return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judgedLength })
  })

const advice = 'Use several unrelated words, or let your browser suggest a password.'

/**
 * Returns an error message for a password that is too easy to guess. Such a password is similar to a common
 * password, follows a pattern, or contains known data about the user and the service (ASVS 5.0, 6.2.4 and
 * 6.2.11).
 * @returns a message that states the problem and how to improve the password, or undefined if the password is
 * acceptable
 */
export async function passwordWeakness(password: string, owner?: PasswordOwner): Promise<string | undefined> {
  const known = guessableParts(config().serviceName, owner?.name, owner?.email)
  const { guesses, sequence } = (await estimator()).check(password, known)
  if (guesses >= fewestGuesses) return undefined
  const match = sequence.toSorted((one, other) => other.token.length - one.token.length)[0]
  return `${reason(match?.pattern, match?.dictionaryName)} ${advice}`
}

function reason(pattern: string | undefined, dictionary: string | undefined): string {
  if (dictionary === 'userInputs') return 'This contains your name, your email, or the name of this service.'
  if (pattern === 'dictionary') return 'This is similar to a commonly used password.'
  if (pattern === 'repeat') return 'This repeats itself, which makes it easy to guess.'
  return 'This follows a pattern that is easy to guess.'
}

/**
 * Returns the known texts, the texts without spaces, the parts before and after each `@`, and the single
 * words. Ignores results of one or two characters, which occur in many passwords.
 */
const guessableParts = (...texts: (string | undefined)[]): string[] =>
  texts
    .flatMap((text = '') => [
      text,
      text.replace(/\s+/g, ''),
      ...text.split('@'),
      ...text.split(/[^\p{L}\p{N}]+/u),
    ])
    .filter((word) => word.length > 2)
