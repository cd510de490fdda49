import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'

/** The owner of a password. Attackers try the owner's known data first. */
export type PasswordOwner = { name: string; email: string }

/**
 * The number of characters that the estimator checks. The rest of a longer password is ignored, because the cost of a check
 * grows faster than the length.
 */
const judgedLength = 64

/**
 * The minimum number of guesses that a password must withstand. ADR 0027 allows about this many guesses in two years. This
 * number is also the boundary between the estimator's scores "very guessable" and "somewhat guessable" (score 2).
 */
const fewestGuesses = 1e6

/**
 * Returns the estimator with its list of 49,000 common passwords (about 6 MB), which is loaded when the first new password is
 * checked.
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
 * Checks whether a password is too easy to guess. Such a password is similar to a common password, follows a pattern, or
 * consists of known data about the user and the service (ASVS 5.0, 6.2.4 and 6.2.11).
 * @returns an error message that states how to improve the password, or undefined if the password is acceptable
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
 * Returns the known texts, the texts without spaces, the parts before and after each `@`, and the single words. Ignores
 * results of one or two characters, which occur in many passwords.
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
