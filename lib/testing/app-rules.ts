import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp, blockApp } from '@/lib/features/app-access/decide'
import { setPolicy } from '@/lib/features/app-access/policy'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { SessionActor } from '@/lib/policy/actor'
import { makeClient, makeWorkspace } from './factories'
import type { TestApp } from './oauth-flow'

/** A workspace and the session of one of its admins. */
type Place = { admin: SessionActor; workspaceId: string }

/** The access that a workspace allows an app, before the user's role applies. */
type Reach = 'all' | 'read' | 'none'

/**
 * A function that sets a workspace's app policy and its decision about an app, and the resulting access for
 * the workspace's own apps, other apps, and installed apps.
 */
type Rule = {
  say: (place: Place, clientId: string) => Promise<unknown>
  own: Reach
  others: Reach
  installed: Reach
}

const set = ({ admin, workspaceId }: Place, policy: AppPolicy) => setPolicy(admin, workspaceId, { policy })
const approve = ({ admin, workspaceId }: Place, clientId: string, scope: string) =>
  approveApp(admin, workspaceId, clientId, { scopes: [scope] })

const rules: Record<string, Rule> = {
  'all apps': { say: (place) => set(place, 'OPEN'), own: 'all', others: 'all', installed: 'all' },
  'approved apps, this one not approved': {
    say: (place) => set(place, 'APPROVED'),
    own: 'all',
    others: 'none',
    installed: 'all',
  },
  'approved to read': {
    say: async (place, clientId) => {
      await set(place, 'APPROVED')
      await approve(place, clientId, 'workspace:viewer')
    },
    own: 'all',
    others: 'read',
    // The approval does not limit an installed app, which is treated as approved and has its own limits.
    installed: 'all',
  },
  'approved apps, this approval has expired': {
    say: async (place, clientId) => {
      await set(place, 'APPROVED')
      await approve(place, clientId, 'workspace:admin')
      await prisma().workspaceApp.updateMany({ where: { clientId }, data: { expiresAt: new Date(0) } })
    },
    own: 'all',
    others: 'none',
    installed: 'all',
  },
  'own apps only': { say: (place) => set(place, 'OWN'), own: 'all', others: 'none', installed: 'none' },
  'all apps, this one blocked': {
    say: async (place, clientId) => {
      await set(place, 'OPEN')
      await blockApp(place.admin, place.workspaceId, clientId)
    },
    own: 'none',
    others: 'none',
    installed: 'none',
  },
}

export const ruleNames = Object.keys(rules)

/**
 * Deletes the workspace's decisions about apps, and then applies a rule as a workspace admin. @returns the
 * allowed access
 */
export async function applyRule(place: Place, name: string, clientId: string): Promise<Omit<Rule, 'say'>> {
  const { say, ...reach } = rules[name] as Rule
  await prisma().workspaceApp.deleteMany({ where: { workspaceId: place.workspaceId } })
  await say(place, clientId)
  return reach
}

/** The kinds of apps, by owner, with which app policies are tested. */
export const appKinds = ['the workspace’s own', 'another workspace’s', 'a self-registered'] as const
export type AppKind = (typeof appKinds)[number]

/** Creates an app of the given kind, as seen from the given workspace. */
export async function makeAppOfKind(kind: AppKind, workspace: { id: string }): Promise<TestApp> {
  const elsewhere = kind === 'another workspace’s' ? await makeWorkspace() : undefined
  const { client, secret } = await makeClient(kind === 'the workspace’s own' ? workspace : elsewhere, {
    ...(kind === 'a self-registered' && {
      source: 'DYNAMIC' as const,
      metadata: { application_type: 'web' },
    }),
  })
  let clientId = client.id
  if (kind === 'a self-registered') {
    clientId = `dyn_${client.id}`
    await pool().query('UPDATE oauth_clients SET id = $1 WHERE id = $2', [clientId, client.id])
  }
  return { clientId, secret, redirectUri: client.redirectUris[0] as string }
}
