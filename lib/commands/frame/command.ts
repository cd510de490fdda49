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
