import { parseArgs } from 'node:util'
import { type Command, UsageError } from './command'
import { usage } from './help'

/** What was typed after the name of a command. */
export type Words = { args: Record<string, string>; options: Record<string, string | boolean | undefined> }

/**
 * Reads the words after the name of a command.
 * @throws UsageError with a sentence that says what is wrong with them
 */
export function readWords(command: Command, words: string[]): Words {
  const { takes = {}, options = {} } = command
  const known = Object.entries(options).map(([name, option]) => [
    name,
    option.value
      ? { type: 'string' as const, ...(option.default === undefined ? {} : { default: option.default }) }
      : { type: 'boolean' as const, default: false },
  ])
  const { values, positionals } = parsed(words, Object.fromEntries(known))
  const names = Object.keys(takes)
  const missing = names[positionals.length]
  if (missing) throw new UsageError(`<${missing}> is missing: ${usage(command)}.`)
  if (positionals.length > names.length) {
    throw new UsageError(`"${positionals[names.length]}" is one word too many: ${usage(command)}.`)
  }
  return {
    args: Object.fromEntries(names.map((name, at) => [name, positionals[at] as string])),
    options: values,
  }
}

type KnownOptions = NonNullable<Parameters<typeof parseArgs>[0]>['options']

function parsed(words: string[], options: KnownOptions) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true, strict: true }) as {
      values: Words['options']
      positionals: string[]
    }
  } catch (error) {
    // Node's own sentences name the option; what follows the first one is about quoting.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw new UsageError(`${sentence.replace(/\.?$/, '')}.`)
  }
}
