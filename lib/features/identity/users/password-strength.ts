import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'

/** The owner of a password. An attacker tries their known data first. */
export type PasswordOwner = { name: string; email: string }

/** Only the start of longer passwords is estimated: the cost of the estimate grows faster than the length. */
const judgedLength = 64

/**
 * The minimum number of guesses: more than ADR 0027 allows in two years. It separates "very guessable" from "somewhat
 * guessable" in the estimator (score 2).
 */
const fewestGuesses = 1e6

/** The estimator and its list of 49,000 common passwords, about 6 MB. Loaded for the first new password. */
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
 * Returns why a password is too easy to guess: it is close to a common one, follows a pattern, or consists of known data
 * about the user and the service (ASVS 5.0, 6.2.4 and 6.2.11).
 * @returns a sentence with the problem and its solution; undefined for an acceptable password
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

/** Returns the known texts and their parts. Ignores parts of one or two letters, which occur in every password. */
const guessableParts = (...texts: (string | undefined)[]): string[] =>
  texts
    .flatMap((text = '') => [
      text,
      text.replace(/\s+/g, ''),
      ...text.split('@'),
      ...text.split(/[^\p{L}\p{N}]+/u),
    ])
    .filter((word) => word.length > 2)
