/** What the log holds of an error. */
export type PlainError = {
  name: string
  message: string
  /** Of the system, PostgreSQL, Prisma, OAuth: a short word. */
  code?: string
  stack?: string
  cause?: PlainError
} & Partial<Record<(typeof names)[number], string>>

/** Properties of ours, of PostgreSQL's and of Next's that are names and nothing that anybody sent. */
const names = ['constraint', 'table', 'column', 'syscall', 'digest', 'error', 'reason'] as const

const longest = 500
const deepest = 4
const mostFrames = 12

/**
 * An error as it may stand in the log: of its properties only those named here, so that neither what a client sent nor what a
 * row holds gets in (PostgreSQL's `detail` and `where`, the input of a parser, the body of somebody's answer), and its texts
 * without what looks like a secret. See ADR 0053.
 * @param thrown whatever was thrown
 * @param withStack where to look for the fault, for a defect
 */
export function plainError(thrown: unknown, withStack: boolean, depth = deepest): PlainError {
  if (!(thrown instanceof Error)) {
    return { name: typeof thrown, message: typeof thrown === 'string' ? shorten(thrown) : 'no error' }
  }
  const error = thrown as Error & Record<string, unknown>
  const plain: PlainError = { name: shorten(error.name), message: messageOf(error) }
  const code = codeOf(error)
  if (code !== undefined) plain.code = code
  for (const name of names) if (isWord(error[name])) plain[name] = error[name]
  if (withStack && typeof error.stack === 'string') plain.stack = framesOf(error.stack)
  const cause = causeOf(error)
  if (cause !== undefined && depth > 1) plain.cause = plainError(cause, false, depth - 1)
  return plain
}

/** Where an error that has no code was thrown, which tells it from others of its name. */
export const originOf = (thrown: unknown): string =>
  (thrown instanceof Error && /\n\s+at ([^\n]+)/.exec(thrown.stack ?? '')?.[1]) || ''

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)

function codeOf(error: Error & Record<string, unknown>): string | undefined {
  // The driver adapter of Prisma keeps what the database said in a plain object.
  const inner = error.name === 'DriverAdapterError' ? (error.cause as Record<string, unknown>) : undefined
  const code = error.code ?? inner?.originalCode ?? inner?.kind
  return isWord(code) ? code : typeof code === 'number' ? String(code) : undefined
}

/** An attempt at several addresses fails with all of their errors, and a message of its own that is empty. */
function causeOf(error: Error & Record<string, unknown>): Error | undefined {
  const cause = error.cause ?? (error as Partial<AggregateError>).errors?.[0]
  return cause instanceof Error ? cause : undefined
}

function messageOf(error: Error & Record<string, unknown>): string {
  if (Array.isArray(error.issues)) return issuesOf(error.issues)
  // Prisma shows the call with its arguments; what went wrong is its last line.
  const message = error.name.startsWith('PrismaClient')
    ? (error.message.trim().split('\n').at(-1) as string)
    : error.message
  return shorten(quotesNames(error) ? message : message.replace(/"[^"]*"/g, '"..."'))
}

/** Parsers and PostgreSQL's class 22 quote what they could not read; its other errors quote names of tables, columns and roles. */
const quotesNames = ({ code, severity }: Error & Record<string, unknown>): boolean =>
  severity !== undefined && typeof code === 'string' && !/^(22|P0)/.test(code)

/** What a schema found wrong, and where; zod's own message may repeat the input. */
const issuesOf = (issues: unknown[]): string =>
  shorten(
    issues
      .map((issue) => issue as { code?: unknown; path?: unknown[] })
      .map(({ code, path = [] }) => `${path.filter((part) => isWord(part)).join('.')} ${code}`.trim())
      .join(', '),
  )

const shorten = (text: string): string => withoutSecrets(text.slice(0, longest))

/** Without its first lines, which repeat the message. */
const framesOf = (stack: string): string =>
  withoutPatterns(
    stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, mostFrames)
      .map((line) => line.trim())
      .join('\n'),
  )

/** Credentials of ours (lib/base/credentials/tokens), but for client ids, which are public. */
const credentials = /\blk_(?!app_)([a-z]+)_\w+/g
/** A JSON Web Token, in whole or in part. */
const tokens = /\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g
/** What stands after a scheme of the Authorization header. */
const authorizations = /\b(bearer|basic|dpop)\s+[\w+/=.~-]{8,}/gi
const userInfo = /(:\/\/)[^\s/@]*@/g
/** Of an address what may name a person or hold a code. */
const queries = /[?#][\w%.~[\]-]+=[^\s"'<>)]*/g
const mailAddresses = /[^\s"'<>()=,;:@/\\`]+@[^\s"'<>()=,;:@/\\`]+\.\p{L}{2,}/gu
/** Long runs of characters; of these the random ones are hidden. */
const runs = /[\w+=-]{24,}/g

/**
 * A text without what nobody may read in the log: credentials, e-mail addresses, the queries of addresses, anything long and
 * random. It is the second net: what can hold such things is not written in the first place (plain-error.ts).
 */
export const withoutSecrets = (text: string): string =>
  withoutPatterns(text).replace(runs, (run) => (isRandom(run) ? hidden : run))

/** The same for the lines of a stack, whose names of files may look random. */
const withoutPatterns = (text: string): string =>
  text
    .replace(credentials, `lk_$1_${hidden}`)
    .replace(tokens, hidden)
    .replace(authorizations, `$1 ${hidden}`)
    .replace(userInfo, `$1${hidden}@`)
    .replace(queries, `?${hidden}`)
    .replace(mailAddresses, hidden)

const hidden = '[hidden]'

/** As base64 or hexadecimal text is, and no word, client id or name of a file. */
const isRandom = (run: string): boolean =>
  (!run.startsWith('lk_app_') && /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run)) ||
  /^[\da-f]{32,}$/i.test(run)
