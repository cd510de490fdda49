import { parseArgs } from 'node:util'
import { checkConnection } from '@/lib/base/db/check-connection'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { checkSettings, dataDir, hasOwnDatabase, provideSettings } from '@/lib/base/db/embedded/settings'
import { missingMigrations, nameMigrations } from '@/lib/base/db/migrate'
import { endConnections, pool } from '@/lib/base/db/pool'
import { onShutdown, runShutdownTasks } from '@/lib/base/process/background'
import { migrationNames } from '@/lib/generated/migration-names'

/** An option, as `--name` or `--name <value>`. */
export type Option = {
  about: string
  /** What stands for the value in the help; a switch has none. */
  value?: string
  default?: string
}

/** What a command was told: its arguments by name, its options, and the folder of this installation. */
type Told<Takes extends string, Options extends Record<string, Option>> = {
  args: Record<Takes, string>
  options: { [Name in keyof Options]: Options[Name] extends { value: string } ? string | undefined : boolean }
  /** The folder that holds `dist`, `prisma/migrations` and, unless DATA_DIR names another, `.data`. */
  root: string
}

/**
 * What a command works on. `nothing`: it sees to that itself. `database`: one that can be reached, at
 * `process.env.DATABASE_URL`. `schema`: the product's own connections to one that has every migration of this release.
 */
export type Needs = 'nothing' | 'database' | 'schema'

/** One command. Its help is made from this, and so is what it accepts. */
export type Command<
  Takes extends string = string,
  Options extends Record<string, Option> = Record<string, Option>,
> = {
  name: string
  /** One line for the list of commands, without a full stop. */
  summary: string
  /** What else there is to know, in whole sentences. */
  about?: string
  /** Arguments in their order, and what each is. All are required. */
  takes?: Record<Takes, string>
  options?: Options
  needs: Needs
  /**
   * @returns the exit code, where it is not 0
   * @throws UsageError for words that make no sense, Error with one sentence for whatever else keeps it from being done
   */
  run: (told: Told<Takes, Options>) => Promise<number | undefined>
}

/** Lets the compiler know the names of the arguments and options of one command. */
export const defineCommand = <
  const Takes extends string = never,
  const Options extends Record<string, Option> = Record<never, never>,
>(
  command: Command<Takes, Options>,
): Command => command as unknown as Command

/** Words that make no command. The message is one sentence for who typed them; the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Says something on standard output, a line at a time. */
export const say = (line = ''): void => void process.stdout.write(`${line}\n`)

/** What was typed after the name of a command. */
type Words = { args: Record<string, string>; options: Record<string, string | boolean | undefined> }

/**
 * Reads the words after the name of a command.
 * @throws UsageError with a sentence that says what is wrong with them
 */
function readWords(command: Command, words: string[]): Words {
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

const column = (left: string, right: string, width: number) => `  ${left.padEnd(width)}  ${right}`

const rows = (pairs: [string, string][]): string[] => {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs.map(([left, right]) => column(left, right, width))
}

/** Breaks a text into lines that fit a terminal. */
const lines = (text: string, width = 100): string[] =>
  text.split(' ').reduce<string[]>((made, word) => {
    const last = made.at(-1)
    if (last === undefined || last.length + word.length >= width) made.push(word)
    else made[made.length - 1] = `${last} ${word}`
    return made
  }, [])

const optionName = ([name, { value }]: [string, Option]) => (value ? `--${name} <${value}>` : `--${name}`)

/** The command as it is typed: `latchkey grant-admin <email>`. */
function usage({ name, takes = {}, options = {} }: Command): string {
  const words = [
    ...Object.keys(takes).map((each) => `<${each}>`),
    ...Object.entries(options).map((each) => `[${optionName(each)}]`),
  ]
  return ['latchkey', name, ...words].join(' ')
}

/** What `latchkey --help` prints. */
function helpOfAll(commands: readonly Command[]): string {
  return [
    'latchkey <command> [...]',
    '',
    ...rows(commands.map(({ name, summary }) => [name, summary])),
    '',
    ...lines(
      '`latchkey <command> --help` says more of one. Settings are read from the environment, and from the file .env where there is one. Without DATABASE_URL the embedded database in DATA_DIR is used, whether the server runs or not.',
    ),
  ].join('\n')
}

/** What `latchkey <command> --help` prints. */
function helpOf(command: Command): string {
  const { summary, about, takes = {}, options = {} } = command
  const optionRows = Object.entries(options).map((each): [string, string] => [
    optionName(each),
    each[1].default === undefined ? each[1].about : `${each[1].about} (${each[1].default})`,
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

/** Mails of a command are sent before it ends, however slow the server for them is. */
const patienceMs = 60_000

/**
 * Runs a command on the database it needs: that of DATABASE_URL, or the embedded one, which is started unless it runs and
 * stopped again where nobody else uses it.
 * @throws Error with one sentence when the settings are wrong or the database cannot be used; what the work throws
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
    `The database lacks migrations: ${nameMigrations(missing)}; run \`latchkey migrate\` first.`,
  )
}

/** A command that is interrupted leaves no server behind that nobody uses. */
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
