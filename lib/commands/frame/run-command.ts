import { type Command, say, UsageError } from './command'
import { helpOf, helpOfAll } from './help'
import { readWords } from './read-words'
import { withDatabase } from './with-database'

const complain = (line: string): void => void process.stderr.write(`${line}\n`)

/** What is wrong with the program itself is shown whole; everything else is one sentence for the operator. */
const isDefect = (error: unknown): boolean =>
  !(error instanceof Error) ||
  ['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError'].includes(error.name)

/** What the system says of files, in words. */
const fileTroubles: Record<string, (file: string) => string> = {
  ENOENT: (file) => `There is no ${file}.`,
  EEXIST: (file) => `${file} is there already; nothing is written over.`,
  EACCES: (file) => `${file} cannot be used by this account.`,
  EISDIR: (file) => `${file} is a folder.`,
  EROFS: (file) => `${file} is on a file system that nothing is written to.`,
  ENOSPC: (file) => `There is no room left for ${file}.`,
}

function sentenceOf(error: Error & { code?: string; path?: string }): string {
  return (error.path && fileTroubles[error.code ?? '']?.(error.path)) || error.message
}

/**
 * Runs what was typed after `latchkey`.
 * See decision 114.
 * @param commands all there are
 * @param words such as `['grant-admin', 'ada@example.com']`
 * @param root the folder of this installation
 * @returns the exit code: 0, 1 for what could not be done, 2 for words that make no sense
 */
export async function runCommand(
  commands: readonly Command[],
  words: string[],
  root: string,
): Promise<number> {
  const [typed = '--help', ...rest] = words
  const name = typed === '--version' ? 'version' : typed
  if (name === '--help' || name === '-h' || name === 'help') {
    const asked = commands.find((each) => each.name === rest[0])
    say(asked ? helpOf(asked) : helpOfAll(commands))
    return 0
  }
  try {
    const command = commands.find((each) => each.name === name)
    if (!command) throw new UsageError(`There is no command "${name}"; \`latchkey --help\` lists them.`)
    if (rest.includes('--help') || rest.includes('-h')) {
      say(helpOf(command))
      return 0
    }
    const told = { ...readWords(command, rest), root }
    return (await withDatabase(command.needs, root, () => command.run(told as never))) ?? 0
  } catch (error) {
    complain(
      isDefect(error) ? String((error as Error).stack ?? error) : `latchkey: ${sentenceOf(error as Error)}`,
    )
    return error instanceof UsageError ? 2 : 1
  }
}
