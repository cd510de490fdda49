import type { Command, Option } from './command'

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
export function usage({ name, takes = {}, options = {} }: Command): string {
  const words = [
    ...Object.keys(takes).map((each) => `<${each}>`),
    ...Object.entries(options).map((each) => `[${optionName(each)}]`),
  ]
  return ['latchkey', name, ...words].join(' ')
}

/** What `latchkey --help` prints. */
export function helpOfAll(commands: readonly Command[]): string {
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
export function helpOf(command: Command): string {
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
