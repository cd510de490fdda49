import { parseArgs } from 'node:util'
import { checkConnection } from '@/lib/base/db/check-connection'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { checkSettings, dataDir, hasOwnDatabase, provideSettings } from '@/lib/base/db/embedded/settings'
import { missingMigrations, nameMigrations } from '@/lib/base/db/migrate'
import { endConnections, pool } from '@/lib/base/db/pool'
import { onShutdown, runShutdownTasks } from '@/lib/base/process/background'
import { migrationNames } from '@/lib/generated/migration-names'

/** An option: `--name` or `--name <value>`. */
export type Option = {
  about: string
  /** The placeholder for the value in the help. Undefined for a flag. */
  value?: string
  default?: string
}

/** A command's input: its arguments by name, its options, and the product's folder. */
type Input<Takes extends string, Options extends Record<string, Option>> = {
  args: Record<Takes, string>
  options: { [Name in keyof Options]: Options[Name] extends { value: string } ? string | undefined : boolean }
  /** The folder with `dist`, `prisma/migrations`, and `.data` (if DATA_DIR is not set). */
  root: string
}

/**
 * What must be available before a command runs. `nothing`: no database, or the command connects to a database
 * itself. `database`: a reachable database at `process.env.DATABASE_URL`. `schema`: the product's connection
 * pools, and a database with all of this release's migrations.
 */
export type Needs = 'nothing' | 'database' | 'schema'

/** A command. Its help and its accepted arguments are derived from this definition. */
export type Command<
  Takes extends string = string,
  Options extends Record<string, Option> = Record<string, Option>,
> = {
  name: string
  /** One line for the list of commands, without a period. */
  summary: string
  /** Details, in whole sentences. */
  about?: string
  /** The positional arguments in order, with their descriptions. All of them are required. */
  takes?: Record<Takes, string>
  options?: Options
  needs: Needs
  /**
   * @returns the exit code, or undefined for 0
   * @throws UsageError for invalid arguments; for any other failure, Error with a message for the user
   */
  run: (input: Input<Takes, Options>) => Promise<number | undefined>
}

/** Defines a command. TypeScript infers the names of the arguments and options for `run`. */
export const defineCommand = <
  const Takes extends string = never,
  const Options extends Record<string, Option> = Record<never, never>,
>(
  command: Command<Takes, Options>,
): Command => command as unknown as Command

/** An error for invalid arguments. The message is written for the user, and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Prints a line to standard output. */
export const say = (line = ''): void => void process.stdout.write(`${line}\n`)

/** The parsed arguments of a command. */
type Parsed = { args: Record<string, string>; options: Record<string, string | boolean | undefined> }

/**
 * Parses the arguments after a command's name.
 * @throws UsageError if the arguments are invalid
 */
function parseInput(command: Command, words: string[]): Parsed {
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
  if (missing) throw new UsageError(`Missing argument <${missing}>: ${usage(command)}.`)
  if (positionals.length > names.length) {
    throw new UsageError(`Unexpected argument "${positionals[names.length]}": ${usage(command)}.`)
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
      values: Parsed['options']
      positionals: string[]
    }
  } catch (error) {
    // Use only the first sentence of Node's message, which names the option. The rest explains how to quote
    // an argument.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw new UsageError(`${sentence.replace(/\.?$/, '')}.`)
  }
}

const column = (left: string, right: string, width: number) => `  ${left.padEnd(width)}  ${right}`

const rows = (pairs: [string, string][]): string[] => {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs.map(([left, right]) => column(left, right, width))
}

/** Breaks a text into lines that fit into a terminal of `width` columns. */
const lines = (text: string, width = 100): string[] =>
  text.split(' ').reduce<string[]>((made, word) => {
    const last = made.at(-1)
    if (last === undefined || last.length + word.length >= width) made.push(word)
    else made[made.length - 1] = `${last} ${word}`
    return made
  }, [])

const optionName = ([name, { value }]: [string, Option]) => (value ? `--${name} <${value}>` : `--${name}`)

/** Returns the usage line, such as `latchkey grant-admin <email>`. */
function usage({ name, takes = {}, options = {} }: Command): string {
  const words = [
    ...Object.keys(takes).map((each) => `<${each}>`),
    ...Object.entries(options).map((each) => `[${optionName(each)}]`),
  ]
  return ['latchkey', name, ...words].join(' ')
}

/** Returns the output of `latchkey --help`. */
function helpOfAll(commands: readonly Command[]): string {
  return [
    'latchkey <command> [...]',
    '',
    ...rows(commands.map(({ name, summary }) => [name, summary])),
    '',
    ...lines(
      'Run `latchkey <command> --help` for details about a command. Settings are read from the environment and from the file .env, if it exists. Without DATABASE_URL, commands use the embedded database in DATA_DIR, even if the server is not running.',
    ),
  ].join('\n')
}

/** Returns the output of `latchkey <command> --help`. */
function helpOf(command: Command): string {
  const { summary, about, takes = {}, options = {} } = command
  const optionRows = Object.entries(options).map((each): [string, string] => [
    optionName(each),
    each[1].default === undefined ? each[1].about : `${each[1].about} (default: ${each[1].default})`,
  ])
  return [
    usage(command),
    '',
    ...lines(`${summary[0]?.toUpperCase()}${summary.slice(1)}.${about ? ` ${about}` : ''}`),
    ...(Object.keys(takes).length > 0 || optionRows.length > 0 ? [''] : []),
    ...rows([
      ...Object.entries(takes).map(([name, what]): [string, string] => [`<${name}>`, what]),
      ...optionRows,
    ]),
  ].join('\n')
}

const printError = (line: string): void => void process.stderr.write(`${line}\n`)

/**
 * Returns whether an error is a defect of the program. Defects are printed with their stack, and other errors
 * are printed with their message only.
 */
const isDefect = (error: unknown): boolean =>
  !(error instanceof Error) ||
  ['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError'].includes(error.name)

/** The messages for file system errors, by error code. */
const fileErrors: Record<string, (file: string) => string> = {
  ENOENT: (file) => `${file} does not exist.`,
  EEXIST: (file) => `${file} already exists. Existing files are not overwritten.`,
  EACCES: (file) => `Permission denied: ${file}.`,
  EISDIR: (file) => `${file} is a directory.`,
  EROFS: (file) => `${file} is on a read-only file system.`,
  ENOSPC: (file) => `No space left on the device for ${file}.`,
}

function sentenceOf(error: Error & { code?: string; path?: string; dest?: string }): string {
  // When a file is copied, `path` is the original, and `dest` is the copy, which cannot be written.
  const file = error.dest ?? error.path
  return (file && fileErrors[error.code ?? '']?.(file)) || error.message
}

/**
 * Runs a command line, and prints errors to standard error. See ADR 0041.
 * @param commands all commands
 * @param words the arguments, such as `['grant-admin', 'ada@example.com']`
 * @param root the product's folder
 * @returns the exit code: 0 or the code that the command returns, 2 for invalid arguments, or 1 for any other
 * error
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
    if (!command) throw new UsageError(`Unknown command "${name}". Run \`latchkey --help\` for a list.`)
    if (rest.includes('--help') || rest.includes('-h')) {
      say(helpOf(command))
      return 0
    }
    const input = { ...parseInput(command, rest), root }
    return (await withDatabase(command.needs, root, () => command.run(input as never))) ?? 0
  } catch (error) {
    printError(
      isDefect(error) ? String((error as Error).stack ?? error) : `latchkey: ${sentenceOf(error as Error)}`,
    )
    return error instanceof UsageError ? 2 : 1
  }
}

/**
 * The maximum duration of all shutdown tasks after a command, including background work such as emails, in
 * milliseconds.
 */
const patienceMs = 60_000

/**
 * Calls a function with the database in DATABASE_URL or with the embedded database, and then runs the
 * shutdown tasks. Starts the embedded database if it is not running, and stops it afterwards unless another
 * process uses it. If `needs` is `schema`, requires that all migrations are applied. If `needs` is `nothing`,
 * only calls the function.
 * @throws Error with a message for the user if the settings are invalid, the database cannot be used, or
 * required migrations are missing; otherwise, the function's own error
 */
export async function withDatabase<Result>(
  needs: Needs,
  root: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (needs === 'nothing') return work()
  checkSettings()
  const embedded = hasOwnDatabase() ? undefined : await openEmbeddedDatabase(dataDir(root))
  const leave = embedded && leaveOnSignals(embedded)
  try {
    provideSettings(root, embedded?.url)
    await checkConnection(String(process.env.DATABASE_URL))
    if (needs === 'schema') await requireMigrations()
    return await work()
  } finally {
    await runShutdownTasks(patienceMs)
    await embedded?.release()
    leave?.()
  }
}

async function requireMigrations(): Promise<void> {
  onShutdown('database connections', endConnections)
  const missing = await missingMigrations(pool(), [...migrationNames])
  if (missing.length === 0) return
  throw new Error(
    `The database lacks migrations: ${nameMigrations(missing)}. Run \`latchkey migrate\` first.`,
  )
}

/**
 * Releases the embedded database and ends the process if the command is interrupted.
 * @returns a function that removes the signal handlers
 */
function leaveOnSignals(database: EmbeddedDatabase): () => void {
  const stop = () => {
    database.abandon()
    process.exit(130)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
