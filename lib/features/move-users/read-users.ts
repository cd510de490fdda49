import { HashRefusal, readImportedHash } from '@/lib/base/credentials/password'
import { signUpInput } from '@/lib/features/identity/users/input'

export type ImportedUser = {
  email: string
  name: string
  /** Whether the entry contains the name. If not, the name is from the email address. */
  hasName: boolean
  emailVerified: boolean
  suspended: boolean
  passwordHash: string | null
}

/**
 * An entry in the file. `line` is the line number in a JSON Lines file, or the position of the user in a JSON
 * document. Both begin at 1. `value` is undefined for a line that is not valid JSON.
 */
export type Entry = { line: number; value: unknown }

/** The error for an entry that is not imported. The message contains no password or hash. */
export class SkipEntry extends Error {
  override name = 'SkipEntry'
}

type Fields = Record<string, unknown>

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : [])
const text = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value.trim() !== '')
const isTrue = (...values: unknown[]): boolean => values.some((value) => value === true)

/**
 * The maximum length of a JSON document, in characters. A document is parsed as a whole and must fit into
 * memory.
 */
const mostCharacters = 256 * 2 ** 20

/**
 * Yields the users in a file as unchecked entries. The file contains either one JSON object per line, like
 * Auth0 exports, or one JSON document, like Keycloak (`users`) and Zitadel (`orgs`, `humanUsers`) exports. An
 * empty file yields no entries.
 * @param lines the lines of the file, without line feeds
 * @throws Error if the file is a JSON document that contains no list of users or is too large
 */
export async function* findUsers(lines: AsyncIterable<string>): AsyncGenerator<Entry> {
  const document: string[] = []
  let size = 0
  let line = 0
  let perLine: boolean | undefined
  for await (const each of lines) {
    line += 1
    // Remove the byte order mark that some exports begin with.
    const trimmed = each.replace(/^\uFEFF/, '').trim()
    if (trimmed === '' && document.length === 0) continue
    perLine ??= isUserLine(trimmed)
    if (perLine) {
      yield { line, value: parsed(trimmed) }
      continue
    }
    size += each.length
    if (size > mostCharacters) {
      throw new Error(
        'The file is too large for one JSON document. Convert it to one user per line, for example with `jq -c ".users[]"`.',
      )
    }
    document.push(trimmed)
  }
  if (document.length === 0) return
  const users = usersOf(parsed(document.join('\n')))
  if (!users) {
    throw new Error(
      'The file contains no users. It is neither a Keycloak, Auth0, Zitadel, or Latchkey export nor a list of users.',
    )
  }
  for (const [index, value] of users.entries()) yield { line: index + 1, value }
}

const isUserLine = (line: string): boolean => {
  const value = parsed(line)
  return value !== undefined && !Array.isArray(value) && usersOf(value) === undefined
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Returns the users in a document, or undefined if it contains no list of users. */
function usersOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  const { users, orgs, dataOrgs, data_orgs: dataOrgsOld } = fields(value)
  if (Array.isArray(users)) return users
  const organizations = orgs ?? fields(dataOrgs ?? dataOrgsOld).orgs
  if (!Array.isArray(organizations)) return undefined
  return list(organizations).flatMap(({ humanUsers, human_users: older }) => list(humanUsers ?? older))
}

/**
 * Converts an entry to a user.
 * @throws SkipEntry with the reason why the user cannot be imported
 */
export function readUser(entry: unknown): ImportedUser {
  const outer = fields(entry)
  // Use the inner object of a Zitadel entry. Zitadel exports each user as an object that contains the ID and
  // the actual user.
  const user = 'user' in outer ? fields(outer.user) : outer
  if (typeof entry !== 'object' || entry === null) throw new SkipEntry('The line is not a JSON object.')
  if (text(user.serviceAccountClientId)) throw new SkipEntry('This is a service account, not a user.')
  const address = fields(user.email)
  // Also look for an email address in the list of identifiers, because some Auth0 entries contain the address
  // only there.
  const identifier = list(user.identifiers).find(({ type }) => type === 'email') ?? {}
  const email = text(user.email, address.email, identifier.value)
  if (email === undefined) throw new SkipEntry('The entry has no email address.')
  return {
    ...addressed(email, nameOf(user)),
    emailVerified: isTrue(
      ...[user.emailVerified, user.email_verified, address.isEmailVerified],
      ...[address.is_email_verified, identifier.verified],
    ),
    suspended: user.enabled === false || isTrue(user.blocked, user.suspended),
    passwordHash: hashOf(user),
  }
}

/**
 * Validates the email address and the name with the same rules as at sign-up. Replaces a missing or invalid
 * name with the part of the address before the `@`.
 * @throws SkipEntry if the address is invalid, or if neither name is valid
 */
function addressed(
  email: string,
  name: string | undefined,
): Pick<ImportedUser, 'email' | 'name' | 'hasName'> {
  const checked = signUpInput.shape.email.safeParse(email)
  if (!checked.success)
    throw new SkipEntry(`The email address is not valid. ${checked.error.issues[0]?.message}`)
  for (const candidate of [name, checked.data.split('@')[0]]) {
    const read = signUpInput.shape.name.safeParse(candidate)
    if (read.success) return { email: checked.data, name: read.data, hasName: candidate === name }
  }
  throw new SkipEntry('The user has no name that can be shown to others.')
}

function nameOf(user: Fields): string | undefined {
  const profile = fields(user.profile)
  const given = text(user.firstName, user.given_name, profile.firstName, profile.first_name)
  const family = text(user.lastName, user.family_name, profile.lastName, profile.last_name)
  const parts = [given, family].filter(Boolean).join(' ')
  // Ignore a name that contains an @, because Auth0 stores the email address as the name if the user did not
  // enter a name.
  const name = text(user.name)?.includes('@') ? undefined : text(user.name)
  return text(
    name,
    profile.displayName,
    profile.display_name,
    parts,
    user.nickname,
    user.username,
    user.userName,
  )
}

/**
 * Returns the password hash in its stored format, or null for a user without a password.
 * @throws SkipEntry if the hash cannot be imported
 */
function hashOf(user: Fields): string | null {
  const zitadel = fields(user.hashedPassword ?? user.hashed_password)
  const [keycloak] = list(user.credentials).filter(({ type }) => type === 'password')
  const hash = keycloak ? keycloakHash(keycloak) : text(user.passwordHash, user.password_hash, zitadel.value)
  if (hash === undefined) return null
  try {
    return readImportedHash(hash)
  } catch (error) {
    if (error instanceof HashRefusal) throw new SkipEntry(`The password hash ${error.message}.`)
    throw error
  }
}

/**
 * Converts a Keycloak password credential to a hash for `readImportedHash`. Keycloak stores the salt, the
 * digest, and the parameters separately.
 */
function keycloakHash(credential: Fields): string {
  const secret = fields(parsed(text(credential.secretData) ?? ''))
  const data = fields(parsed(text(credential.credentialData) ?? ''))
  const algorithm = text(data.algorithm) ?? ''
  const [salt, value] = [text(secret.salt) ?? '', text(secret.value) ?? ''].map((each) =>
    each.replace(/=+$/, ''),
  )
  if (algorithm === 'argon2') {
    const more = fields(data.additionalParameters)
    const one = (name: string) => String(list1(more[name]))
    const version = one('version') === '1.0' ? 16 : 19
    return `$argon2${one('type')}$v=${version}$m=${one('memory')},t=${data.hashIterations},p=${one('parallelism')}$${salt}$${value}`
  }
  // Return a bcrypt hash unchanged. Keycloak supports bcrypt only through an extension, which stores the
  // complete hash as the value.
  if (algorithm === 'bcrypt') return value ?? ''
  return `$${algorithm}$${data.hashIterations}$${salt}$${value}`
}

/** Returns the value of an additional parameter. Keycloak exports each value as a list with one item. */
const list1 = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
