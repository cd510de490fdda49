import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { ConfigError } from '@/lib/base/config/checks'
import { config } from '@/lib/base/config/env'
import { isOutage } from '@/lib/base/db/database-errors'
import { isAppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { syncApis } from './change-apis'
import { type ApiInput, registerApiInput } from './input'

/**
 * The allowed keys. Unknown keys are rejected, because a misspelled setting would otherwise have no effect
 * and cause no error.
 */
const knownKeys = {
  file: ['apis'],
  api: ['identifier', 'name', 'tokenFormat', 'tokenLifetime', 'signingAlgorithm', 'eventsUrl', 'scopes'],
  scope: ['name', 'description', 'sensitivity', 'selects'],
}

/**
 * Reads and validates the APIs in RESOURCES_FILE.
 * @param path the path of a JSON file, or undefined if there is none
 * @returns the APIs; an empty list if there is no file
 * @throws ConfigError if the file cannot be read or is invalid. For invalid content, the message names the
 * line or the field.
 */
export function readResourcesFile(path: string | undefined): ApiInput[] {
  if (path === undefined) return []
  const content = parse(read(path))
  requireKnown('the file', content, knownKeys.file)
  const { apis } = content
  if (!Array.isArray(apis)) throw wrong('"apis" must be a list, such as {"apis": []}')
  const checked = apis.map((api, at) => checkApi(api, `apis[${at}]`))
  requireUnique(checked)
  return checked
}

const wrong = (problem: string) => new ConfigError(`RESOURCES_FILE: ${problem.replace(/\.$/, '')}.`)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw wrong(`the file cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isObject(parsed)) return parsed
  } catch (error) {
    throw wrong(`the file must be valid JSON${placeOf(text, (error as Error).message)}`)
  }
  throw wrong('the file must contain a JSON object, such as {"apis": []}')
}

/**
 * Returns the line and the column of a syntax error, as text for the error message. Depending on the Node.js
 * version and the error, the parser reports the line, only the character position, or neither. If it reports
 * neither, this function uses the end of the file.
 */
function placeOf(text: string, message: string): string {
  const [line] = / \(line \d+ column \d+\)/.exec(message) ?? []
  if (line) return line
  const position = /position (\d+)/.exec(message)?.[1]
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n')
  return ` (line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1})`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function requireKnown(place: string, value: unknown, known: readonly string[]): void {
  if (!isObject(value)) throw wrong(`${place} must be an object`)
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw wrong(
    `${place} has the unknown key ${JSON.stringify(unknown.slice(0, 60))}; the keys are ${known.join(', ')}`,
  )
}

function checkApi(api: unknown, place: string): ApiInput {
  requireKnown(place, api, knownKeys.api)
  const { scopes } = api as { scopes?: unknown }
  if (Array.isArray(scopes)) {
    for (const [at, scope] of scopes.entries()) requireKnown(`${place}.scopes[${at}]`, scope, knownKeys.scope)
  }
  const parsed = registerApiInput.safeParse(api, { error: sentence })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues as [z.core.$ZodIssue]
  const field = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
  throw wrong(`${place}${field}: ${issue.message}`)
}

const sentence = ({ code, input }: { code?: string; input?: unknown }) =>
  code !== 'invalid_type' ? undefined : input === undefined ? 'This is missing.' : 'This has the wrong type.'

function requireUnique(apis: readonly ApiInput[]): void {
  const seen = new Map<string, string>()
  for (const [at, { identifier, scopes }] of apis.entries()) {
    const names = [
      [`apis[${at}].identifier`, identifier],
      ...scopes.map(({ name }, index) => [`apis[${at}].scopes[${index}].name`, name]),
    ] as [string, string][]
    for (const [place, name] of names) {
      const other = seen.get(name)
      if (other) throw wrong(`${place}: “${name}” is already the value of ${other}`)
      seen.set(name, place)
    }
  }
}

/**
 * Applies RESOURCES_FILE to the registry. Call this function at startup, before the APIs are read. If the
 * database is unavailable, this function logs a warning and changes nothing.
 * @throws ConfigError if the file is invalid, conflicts with an API that was created in the console, or
 * exceeds the maximum number of APIs
 */
export async function applyResourcesFile(): Promise<void> {
  const apis = readResourcesFile(config().RESOURCES_FILE)
  try {
    await syncApis(apis)
  } catch (error) {
    if (isAppError(error)) throw wrong(error.message)
    if (!isOutage(error)) throw error
    log.warn('RESOURCES_FILE could not be applied because the database did not answer', { error })
    return
  }
  if (apis.length > 0) {
    log.info('the APIs of RESOURCES_FILE are registered', {
      apis: apis.map(({ identifier }) => identifier),
    })
  }
}
