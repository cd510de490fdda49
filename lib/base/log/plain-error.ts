/** An error in the format of the log. */
export type PlainError = {
  name: string
  message: string
  /** A short error code from the system, PostgreSQL, Prisma, or OAuth. */
  code?: string
  stack?: string
  cause?: PlainError
} & Partial<Record<(typeof names)[number], string>>

/**
 * Further error properties that are logged. Their values are names or codes and never contain data from a
 * client.
 */
const names = ['constraint', 'table', 'column', 'syscall', 'digest', 'error', 'reason'] as const

const longest = 500
const deepest = 4
const mostFrames = 12

/**
 * Converts an error for the log. The result contains only the properties listed above, so that no client
 * input or row data is logged (PostgreSQL's `detail` and `where`, parser input, response bodies). Secrets in
 * messages and stacks are redacted, and the other properties are included only if they are short words. See
 * ADR 0042.
 * @param thrown any thrown value
 * @param withStack whether to include the stack, as for a defect; the stacks of causes are never included
 * @param depth the maximum number of errors in the result: the error, its cause, the cause of its cause, and
 * so on
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

/**
 * Returns the first frame of an error's stack, to distinguish errors of the same class that were thrown at
 * different places. Returns an empty text if the value has no stack.
 */
export const originOf = (thrown: unknown): string =>
  (thrown instanceof Error && /\n\s+at ([^\n]+)/.exec(thrown.stack ?? '')?.[1]) || ''

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)

function codeOf(error: Error & Record<string, unknown>): string | undefined {
  // Prisma's driver adapter stores the database's error in a plain object, which contains the code.
  const inner = error.name === 'DriverAdapterError' ? (error.cause as Record<string, unknown>) : undefined
  const code = error.code ?? inner?.originalCode ?? inner?.kind
  return isWord(code) ? code : typeof code === 'number' ? String(code) : undefined
}

/**
 * Returns the cause of an error, or undefined if there is none. If connecting to all IP addresses of a host
 * fails, the error has an empty message and contains an error for each IP address. In this case, returns the
 * first of these errors.
 */
function causeOf(error: Error & Record<string, unknown>): Error | undefined {
  const cause = error.cause ?? (error as Partial<AggregateError>).errors?.[0]
  return cause instanceof Error ? cause : undefined
}

function messageOf(error: Error & Record<string, unknown>): string {
  if (Array.isArray(error.issues)) return issuesOf(error.issues)
  // Use only the last line of Prisma's message, which describes the error. The other lines contain the call
  // with its arguments.
  const message = error.name.startsWith('PrismaClient')
    ? (error.message.trim().split('\n').at(-1) as string)
    : error.message
  return shorten(quotesNames(error) ? message : message.replace(/"[^"]*"/g, '"..."'))
}

/**
 * Returns whether an error's message is known to quote only names. Parser errors can quote input, as can
 * PostgreSQL errors of the classes 22 (invalid data) and P0 (PL/pgSQL). All other PostgreSQL errors quote
 * only names, such as those of tables, columns, constraints, and roles.
 */
const quotesNames = ({ code, severity }: Error & Record<string, unknown>): boolean =>
  severity !== undefined && typeof code === 'string' && !/^(22|P0)/.test(code)

/**
 * Summarizes a schema's validation issues. zod's own message is not used, because it can contain the input.
 */
const issuesOf = (issues: unknown[]): string =>
  shorten(
    issues
      .map((issue) => issue as { code?: unknown; path?: unknown[] })
      .map(({ code, path = [] }) => `${path.filter((part) => isWord(part)).join('.')} ${code}`.trim())
      .join(', '),
  )

const shorten = (text: string): string => redactSecrets(text.slice(0, longest))

/** Returns the first frames of a stack, redacted. Omits the lines above them, which repeat the message. */
const framesOf = (stack: string): string =>
  withoutPatterns(
    stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, mostFrames)
      .map((line) => line.trim())
      .join('\n'),
  )

/** Matches our credentials (lib/base/credentials/tokens.ts), except client IDs, which are public. */
const credentials = /\blk_(?!app_)([a-z]+)_\w+/g
/** Matches a complete or partial JSON Web Token. */
const tokens = /\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g
/** Matches an authentication scheme and the value after it, as in an Authorization header. */
const authorizations = /\b(bearer|basic|dpop)\s+[\w+/=.~-]{8,}/gi
const userInfo = /(:\/\/)[^\s/@]*@/g
/** Matches a URL's query or fragment, which can contain personal data or an authorization code. */
const queries = /[?#][\w%.~[\]-]+=[^\s"'<>)]*/g
const mailAddresses = /[^\s"'<>()=,;:@/\\`]+@[^\s"'<>()=,;:@/\\`]+\.\p{L}{2,}/gu
/** Matches long runs of characters, which are redacted if they look random. */
const runs = /[\w+=-]{24,}/g

/**
 * Redacts credentials (including those in URLs), email addresses, URL queries and fragments, and long random
 * text. This is only an additional safeguard, because callers must not log such values in the first place.
 */
export const redactSecrets = (text: string): string =>
  withoutPatterns(text).replace(runs, (run) => (isRandom(run) ? hidden : run))

/**
 * Redacts everything that `redactSecrets` redacts, except long random text. Used for stacks, in which file
 * names can look random.
 */
const withoutPatterns = (text: string): string =>
  text
    .replace(credentials, `lk_$1_${hidden}`)
    .replace(tokens, hidden)
    .replace(authorizations, `$1 ${hidden}`)
    .replace(userInfo, `$1${hidden}@`)
    .replace(queries, `?${hidden}`)
    .replace(mailAddresses, hidden)

const hidden = '[hidden]'

/**
 * Returns whether a run looks like base64 or hexadecimal text, rather than a word, a client ID, or a file
 * name.
 */
const isRandom = (run: string): boolean =>
  (!run.startsWith('lk_app_') && /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run)) ||
  /^[\da-f]{32,}$/i.test(run)
