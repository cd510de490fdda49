import { randomInt } from 'node:crypto'
import { hashPassword, verifyPassword } from '@/lib/base/credentials/password'
import { idAt } from '@/lib/base/db/paging'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { makeLively } from '@/lib/features/demo/make-lively'
import { createPerson } from '@/lib/features/identity/people/create-person'
import type { Role } from '@/lib/generated/prisma/enums'
import type { SensitiveAction } from '@/lib/policy/approvals'

export { seedExampleApp } from './seed-example-app'

/** The people, workspaces and projects that a first look needs. */

type DemoPerson = { name: string; email: string; about: string; instanceAdmin?: boolean }

const people: DemoPerson[] = [
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
  /** As if people had worked there for a month. */
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
  /** Whether the demo people were made just now. */
  created: boolean
  /** Their password, when it was made up just now. */
  password?: string
  people: { email: string; about: string }[]
}

/** Any number that nothing else in the product locks: launchers that start together seed once. */
const SEED_LOCK = 5_512_093

/** A first start on a starved machine takes what it takes. */
const patient = { maxWait: 60_000, timeout: 300_000 }

/**
 * Makes the demo people and their workspaces where nobody has an account yet, all in one transaction. What was changed or
 * deleted since then stays as it is, and so does what was removed by `latchkey remove-demo`.
 * @param chosenPassword DEMO_PASSWORD; the people's password becomes this one, at later starts too. Without it a random
 * one is made at the first start
 */
export async function seedDemo(chosenPassword?: string): Promise<DemoReport> {
  const existing = await demoHashes()
  if (existing.length > 0) {
    if (chosenPassword !== undefined) await settlePassword(existing, chosenPassword)
    return { created: false, people }
  }
  const password = chosenPassword ?? randomPassword()
  const passwordHash = await hashPassword(password)
  const created = await prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SEED_LOCK})`
    if ((await tx.user.count()) > 0) return false
    const ids = await makePeople(tx, passwordHash)
    for (const workspace of workspaces) await makeWorkspace(tx, workspace, ids)
    return true
  }, patient)
  return { created, people, ...(created && chosenPassword === undefined ? { password } : {}) }
}

/** Whoever signs up with such an address once the demo is removed is no part of it. */
const demoHashes = () =>
  prisma().user.findMany({
    where: { demo: true, email: { in: people.map((person) => person.email) } },
    select: { id: true, passwordHash: true },
  })

async function makePeople(tx: Db, passwordHash: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { name, email, instanceAdmin = false } of people) {
    const known = await tx.user.findUnique({ where: { email }, select: { id: true } })
    const id =
      known?.id ?? (await createPerson(tx, { name, email, passwordHash, emailVerifiedAt: new Date() })).userId
    // Whoever had the address before is no part of the demo.
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
  if (lively) await makeLively({ tx, workspaceId, people: ids, projects: made, now: new Date() })
}

async function settlePassword(existing: { id: string; passwordHash: string | null }[], password: string) {
  for (const { id, passwordHash } of existing) {
    if (await verifyPassword(passwordHash, password)) continue
    await prisma().user.update({ where: { id }, data: { passwordHash: await hashPassword(password) } })
  }
}

/** 80 bits in groups that can be read aloud: no letters that look like digits. */
function randomPassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
