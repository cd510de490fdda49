import { randomInt } from 'node:crypto'
import { hashPassword, verifyPassword } from '@/lib/base/credentials/password'
import { idAt } from '@/lib/base/db/paging'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { makeLively } from '@/lib/features/demo/make-lively'
import { createUser } from '@/lib/features/identity/users/create-user'
import type { Role } from '@/lib/generated/prisma/enums'
import type { SensitiveAction } from '@/lib/policy/approvals'

export { seedExampleApp } from './seed-example-app'

/** A demo user. `about` describes the user's roles. */
type DemoUser = { name: string; email: string; about: string; instanceAdmin?: boolean }

const users: DemoUser[] = [
  {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    about: 'admin of Acme and Globex, instance admin',
    instanceAdmin: true,
  },
  { name: 'Grace Hopper', email: 'grace@example.com', about: 'member of Acme' },
  {
    name: 'Edsger Dijkstra',
    email: 'edsger@example.com',
    about: 'viewer of Acme, member of the project Compiler in Globex',
  },
]

type DemoWorkspace = {
  slug: string
  name: string
  members: Record<string, Role>
  projects: { name: string; description: string; members?: Record<string, Role>; daysOld?: number }[]
  requiresApprovalFor?: SensitiveAction[]
  /** Whether to add a month of activity. */
  lively?: boolean
}

const workspaces: DemoWorkspace[] = [
  {
    slug: 'acme',
    name: 'Acme',
    members: { 'ada@example.com': 'ADMIN', 'grace@example.com': 'MEMBER', 'edsger@example.com': 'VIEWER' },
    projects: [
      { name: 'Website', description: 'The public site.', daysOld: 34 },
      { name: 'Payments', description: 'Cards, invoices and payouts.', daysOld: 28 },
    ],
    requiresApprovalFor: ['project:delete'],
    lively: true,
  },
  {
    slug: 'globex',
    name: 'Globex',
    members: { 'ada@example.com': 'ADMIN' },
    projects: [
      {
        name: 'Compiler',
        description: 'From source to machine code.',
        members: { 'edsger@example.com': 'MEMBER' },
      },
      { name: 'Orbit', description: 'Satellite tracking.' },
    ],
  },
]

export type DemoReport = {
  /** Whether this call created the demo users. */
  created: boolean
  /** The password of the demo users, if this call generated it. */
  password?: string
  users: { email: string; about: string }[]
}

/**
 * The key of an advisory lock that only this module uses. With the lock, launchers that start at the same
 * time create the demo only once.
 */
const SEED_LOCK = 5_512_093

/**
 * The transaction's timeouts in milliseconds, which are long because the first start on a busy machine can be
 * slow.
 */
const patient = { maxWait: 60_000, timeout: 300_000 }

/**
 * Creates the demo users and their workspaces in one transaction if there are no accounts. Later starts keep
 * users' changes and deletions, including those by `latchkey remove-demo`.
 * @param chosenPassword the value of DEMO_PASSWORD, which also replaces the password at later starts; if
 * undefined, the first start generates a password
 */
export async function seedDemo(chosenPassword?: string): Promise<DemoReport> {
  const existing = await demoHashes()
  if (existing.length > 0) {
    if (chosenPassword !== undefined) await settlePassword(existing, chosenPassword)
    return { created: false, users }
  }
  const password = chosenPassword ?? randomPassword()
  const passwordHash = await hashPassword(password)
  const created = await prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SEED_LOCK})`
    if ((await tx.user.count()) > 0) return false
    const ids = await makeUsers(tx, passwordHash)
    for (const workspace of workspaces) await makeWorkspace(tx, workspace, ids)
    return true
  }, patient)
  return { created, users, ...(created && chosenPassword === undefined ? { password } : {}) }
}

/**
 * Returns the IDs and password hashes of the demo users who still have their original email addresses. The
 * column `demo` distinguishes them from users who signed up with the same email addresses after the demo was
 * removed.
 */
const demoHashes = () =>
  prisma().user.findMany({
    where: { demo: true, email: { in: users.map((user) => user.email) } },
    select: { id: true, passwordHash: true },
  })

async function makeUsers(tx: Db, passwordHash: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { name, email, instanceAdmin = false } of users) {
    const known = await tx.user.findUnique({ where: { email }, select: { id: true } })
    const id =
      known?.id ?? (await createUser(tx, { name, email, passwordHash, emailVerifiedAt: new Date() })).userId
    // Marks a new user as a demo user. A user who already had the email address is not one.
    if (instanceAdmin || !known)
      await tx.user.update({ where: { id }, data: { instanceAdmin, demo: !known } })
    ids.set(email, id)
  }
  return ids
}

async function makeWorkspace(tx: Db, workspace: DemoWorkspace, ids: Map<string, string>): Promise<void> {
  const { slug, name, members, projects, requiresApprovalFor = [], lively = false } = workspace
  if ((await tx.workspace.count({ where: { slug } })) > 0) return
  const membersOf = (roles: Record<string, Role>) => ({
    create: Object.entries(roles).map(([email, role]) => ({ userId: ids.get(email) as string, role })),
  })
  const { id: workspaceId } = await tx.workspace.create({
    data: { slug, name, requiresApprovalFor, demo: true, members: membersOf(members) },
  })
  const made = new Map<string, string>()
  for (const project of projects) {
    const createdAt = new Date(Date.now() - (project.daysOld ?? 0) * 86_400_000)
    const { id } = await tx.project.create({
      data: {
        id: idAt(createdAt),
        createdAt,
        workspaceId,
        name: project.name,
        description: project.description,
        members: membersOf(project.members ?? {}),
      },
      select: { id: true },
    })
    made.set(project.name, id)
  }
  if (lively) await makeLively({ tx, workspaceId, users: ids, projects: made, now: new Date() })
}

async function settlePassword(existing: { id: string; passwordHash: string | null }[], password: string) {
  for (const { id, passwordHash } of existing) {
    if (await verifyPassword(passwordHash, password)) continue
    await prisma().user.update({ where: { id }, data: { passwordHash: await hashPassword(password) } })
  }
}

/**
 * Returns a password with 80 random bits, in groups that can be read aloud and without letters that look like
 * digits.
 */
function randomPassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
