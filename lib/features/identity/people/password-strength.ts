import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'

/** Whom a password is for; what is known of them is what an attacker tries first. */
export type PasswordOwner = { name: string; email: string }

/** Longer ones are judged by their beginning: the estimate's cost grows faster than the length. */
const judgedLength = 64

/**
 * A password that takes fewer guesses than this is refused: what ADR 0034 lets through in two years. It is the step
 * from "very guessable" to "somewhat guessable" of the estimator (score 2).
 */
const fewestGuesses = 1e6

/** The estimator and its list of 49,000 common passwords, about 6 MB: loaded when somebody first chooses a password. */
const estimator = () =>
  remember('password-strength', async () => {
    const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ])
    return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judgedLength })
  })

const advice = 'Use a few words that have nothing to do with each other, or let your browser suggest one.'

/**
 * Says why a password is too easy to guess: it is a common one or near to one, follows a pattern, or is made of what is
 * known of the person and the service (ASVS 5.0, 6.2.4 and 6.2.11).
 * @returns a sentence that says what is wrong and how to mend it; undefined for a password to be taken
 */
export async function weaknessOf(password: string, owner?: PasswordOwner): Promise<string | undefined> {
  const known = wordsOf(config().serviceName, owner?.name, owner?.email)
  const { guesses, sequence } = (await estimator()).check(password, known)
  if (guesses >= fewestGuesses) return undefined
  const match = sequence.toSorted((one, other) => other.token.length - one.token.length)[0]
  return `${reason(match?.pattern, match?.dictionaryName)} ${advice}`
}

function reason(pattern: string | undefined, dictionary: string | undefined): string {
  if (dictionary === 'userInputs') return 'This is made of your name, your email or the name of this service.'
  if (pattern === 'dictionary') return 'This is close to one of the passwords that attackers try first.'
  if (pattern === 'repeat') return 'This repeats itself, which makes it easy to guess.'
  return 'This follows a pattern that is easy to guess.'
}

/** What is known, whole and in its parts; parts of one or two letters are in every password. */
const wordsOf = (...texts: (string | undefined)[]): string[] =>
  texts
    .flatMap((text = '') => [
      text,
      text.replace(/\s+/g, ''),
      ...text.split('@'),
      ...text.split(/[^\p{L}\p{N}]+/u),
    ])
    .filter((word) => word.length > 2)
