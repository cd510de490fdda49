import { needsRehash } from '@/lib/base/credentials/password'
import { databaseNow } from '@/lib/base/db/clock'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { createUser } from '@/lib/features/identity/users/create-user'
import { type Entry, type ImportedUser, readUser, SkipEntry } from './read-users'

/** The maximum number of users written in one transaction. */
const batchSize = 100

/**
 * The transaction timeouts in milliseconds. On a busy database, a batch can take longer than the default
 * timeout.
 */
const patient = { maxWait: 60_000, timeout: 120_000 }

export type ImportCounts = { imported: number; updated: number; unchanged: number; skipped: number }

type Watcher = {
  /** Called for each skipped entry. */
  skipped: (line: number, reason: string) => void
  /**
   * Called after each batch is stored or, in a dry run, checked.
   * @param line the line of the last entry that was read
   */
  stored: (line: number, counts: ImportCounts) => void
}

type Row = { line: number; user: ImportedUser }

/**
 * Creates users from another provider's export. Skips entries that are invalid or repeat an email address.
 * Each batch is one transaction. An interrupted import can be run again, because users from an earlier import
 * are recognized. Such users are updated if they have not signed in yet. An account that was not imported is
 * never changed, because it might belong to someone else.
 * @param entries the entries from `findUsers`
 * @param write whether to store the users; if false, the entries are only checked
 * @throws Error if the database fails; the message contains the line before which the import stopped. Also
 * throws the errors of `findUsers`.
 */
export async function importUsers(
  entries: AsyncIterable<Entry>,
  { write, watch }: { write: boolean; watch: Watcher },
): Promise<ImportCounts> {
  const counts: ImportCounts = { imported: 0, updated: 0, unchanged: 0, skipped: 0 }
  const seen = new Map<string, number>()
  const skip = (line: number, reason: string) => {
    counts.skipped += 1
    watch.skipped(line, reason)
  }
  let batch: Row[] = []
  let last = 0
  const flush = async () => {
    const rows = batch
    batch = []
    for (const [index, outcome] of (await store(rows, write)).entries()) {
      if (typeof outcome === 'string') counts[outcome] += 1
      else skip((rows[index] as Row).line, outcome.reason)
    }
    watch.stored(last, counts)
  }
  for await (const { line, value } of entries) {
    last = line
    try {
      const user = readUser(value)
      const earlier = seen.get(user.email)
      if (earlier !== undefined)
        throw new SkipEntry(`The user on line ${earlier} has the same email address.`)
      seen.set(user.email, line)
      batch.push({ line, user })
    } catch (error) {
      if (!(error instanceof SkipEntry)) throw error
      skip(line, error.message)
    }
    if (batch.length === batchSize) await flush()
  }
  await flush()
  return counts
}

/**
 * Stores all rows of a batch or none of them. If `write` is false, only checks the rows. After a unique
 * violation, tries again, up to three times in total.
 * @returns the outcome of each row, in the order of the rows
 * @throws Error if the database fails
 */
async function store(rows: Row[], write: boolean): Promise<Outcome[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await prisma().$transaction((tx) => storeBatch(tx, rows, write), patient)
    } catch (error) {
      // Try again, because a concurrent sign-up took one of the email addresses or workspace slugs. The next
      // attempt finds the new account or chooses another slug.
      if (uniqueViolation(error) && tries < 3) continue
      const first = rows[0]?.line
      const { code, name } = error as NodeJS.ErrnoException
      // Omit the database's message, because it might contain values from the file.
      throw new Error(
        `The import stopped before line ${first} because of a database error (${code ?? name}). Run the same command again to continue.`,
      )
    }
  }
}

type Outcome = 'imported' | 'updated' | 'unchanged' | { reason: string }

const inUse = {
  reason: 'An account with this email address already exists but was not imported. It was not changed.',
}

async function storeBatch(tx: Db, rows: Row[], write: boolean): Promise<Outcome[]> {
  const known = await tx.user.findMany({
    where: { email: { in: rows.map(({ user }) => user.email) } },
    include: { _count: { select: { sessions: true, identities: true, passkeys: true } } },
  })
  const byEmail = new Map(known.map((each) => [each.email, each]))
  const outcomes: Outcome[] = []
  for (const { user } of rows) {
    const present = byEmail.get(user.email)
    if (!present) {
      if (write) await create(tx, user)
      outcomes.push('imported')
    } else if (present.importedAt === null) outcomes.push(inUse)
    else {
      const data = hasSignedIn(present) ? undefined : changesOf(present, user)
      if (data && write) await tx.user.update({ where: { id: present.id }, data })
      outcomes.push(data ? 'updated' : 'unchanged')
    }
  }
  return outcomes
}

type Present = {
  name: string
  passwordHash: string | null
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
  _count: { sessions: number; identities: number; passkeys: number }
}

/**
 * Returns whether the user has signed in. The first sign-in with a password replaces the imported hash, so a
 * hash with our own parameters counts as evidence of a sign-in.
 */
const hasSignedIn = ({ passwordHash, _count }: Present): boolean =>
  (passwordHash !== null && !needsRehash(passwordHash)) ||
  _count.sessions + _count.identities + _count.passkeys > 0

/**
 * Returns the new values of the columns that the file changes, or undefined if there are none. The file can
 * change the name or the password, verify the email address, or suspend the user. It cannot remove a name or
 * a password, or undo a verification or suspension.
 */
function changesOf(present: Present, user: ImportedUser) {
  const now = new Date(databaseNow())
  const changes = {
    ...(user.hasName && user.name !== present.name ? { name: user.name } : {}),
    ...(user.passwordHash !== null && user.passwordHash !== present.passwordHash
      ? { passwordHash: user.passwordHash }
      : {}),
    ...(user.emailVerified && present.emailVerifiedAt === null ? { emailVerifiedAt: now } : {}),
    ...(user.suspended && present.suspendedAt === null ? { suspendedAt: now } : {}),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}

async function create(
  tx: Db,
  { emailVerified, suspended, passwordHash, hasName: _, ...user }: ImportedUser,
): Promise<void> {
  const now = new Date(databaseNow())
  const { userId } = await createUser(tx, {
    ...user,
    ...(passwordHash === null ? {} : { passwordHash }),
    ...(emailVerified ? { emailVerifiedAt: now } : {}),
  })
  await tx.user.update({
    where: { id: userId },
    data: { importedAt: now, ...(suspended ? { suspendedAt: now } : {}) },
  })
}
