import { randomUUID } from 'node:crypto'
import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from './access-token'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from './factories'

/**
 * The objects that an operation can use: the IDs of a workspace, its project, and the project's environment,
 * the user who runs the operation, and an admin of the workspace.
 */
export type World = { w: string; p: string; env: string; user: { id: string }; admin: { id: string } }

/** Returns a unique name. */
export const name = () => `n-${Math.random().toString(36).slice(2)}`

/**
 * Functions that prepare an operation, in most cases by creating a new object to change or delete. They
 * return the variables that identify the object. If callers shared an object, the first caller could delete
 * it, and the next caller would get NOT_FOUND.
 */
export const fresh = {
  project: async ({ w }: World) => ({ id: (await makeProject({ id: w })).id }),
  deletedProject: async ({ w }: World) => {
    const id = randomUUID()
    const at = new Date()
    await prisma().deletedProject.create({
      data: {
        id,
        workspaceId: w,
        name: name(),
        description: '',
        createdAt: at,
        updatedAt: at,
        members: [],
        environments: [],
      },
    })
    return { id }
  },
  environment: async ({ p }: World) => ({
    id: (await prisma().environment.create({ data: { projectId: p, name: name() } })).id,
  }),
  variable: async ({ env }: World) => {
    const variable = await prisma().variable.create({
      data: { environmentId: env, name: name().replaceAll('-', '_'), sealedValue: new Uint8Array(40) },
    })
    return { name: variable.name }
  },
  app: async ({ w }: World) => ({ id: (await makeClient({ id: w })).client.id }),
  incomingTransfer: async ({ w }: World) => offer(await makeWorkspace(), w),
  transferredApp: async ({ w }: World) => {
    const { client } = await makeClient({ id: w })
    await prisma().oAuthClient.update({ where: { id: client.id }, data: { transferredAt: new Date() } })
    return { id: client.id }
  },
  appInTransfer: async ({ w }: World) => offer({ id: w }, (await makeWorkspace()).id),
  claimingApp: async ({ w }: World) => {
    const { client } = await makeClient({ id: w })
    await prisma().appDomain.create({
      data: { clientId: client.id, domain: 'app.example.test', token: name() },
    })
    return { id: client.id }
  },
  provider: async ({ w }: World) => {
    const named = { issuer: 'https://login.example.test', clientId: 'latchkey', domain: 'example.test' }
    const where = { workspaceId: w }
    await prisma().workspaceIdentityProvider.upsert({
      where,
      create: { ...where, ...named, token: name() },
      update: {},
    })
    return {}
  },
  managedApp: async ({ w }: World) => {
    const { client } = await makeClient(undefined)
    await prisma().managedApp.create({
      data: { workspaceId: w, clientId: client.id, scopes: ['workspace:viewer'] },
    })
    return { id: client.id }
  },
  askedApp: async ({ w }: World) => {
    const { client } = await makeClient(undefined)
    const { id: userId } = await makeUser()
    await prisma().workspaceAppRequest.create({ data: { workspaceId: w, clientId: client.id, userId } })
    return { id: client.id }
  },
  installableApp: async () => {
    const { client } = await makeClient(undefined)
    const installScopes = ['workspace:member']
    await prisma().oAuthClient.update({ where: { id: client.id }, data: { installScopes } })
    return { id: client.id }
  },
  installedApp: async ({ w }: World) => {
    const { client } = await makeClient(undefined)
    await prisma().installation.create({ data: { workspaceId: w, clientId: client.id } })
    return { id: client.id }
  },
  blockedApp: async ({ w }: World) => {
    const { client } = await makeClient(undefined)
    await prisma().workspaceApp.create({ data: { workspaceId: w, clientId: client.id, decision: 'BLOCKED' } })
    return { id: client.id }
  },
  userOfApp: async ({ w }: World) => {
    const { client } = await makeClient({ id: w })
    const { id: userId } = await makeUser()
    await prisma().authorization.create({ data: { userId, clientId: client.id } })
    return { id: client.id, userId }
  },
  secret: async ({ w }: World) => {
    const { client } = await makeClient({ id: w })
    const secret = await prisma().oAuthClientSecret.findFirstOrThrow({ where: { clientId: client.id } })
    return { id: client.id, secretId: secret.id }
  },
  projectToken: async ({ p, admin }: World) => ({
    id: (await makeApiToken(admin, { project: { id: p } })).row.id,
  }),
  workspaceToken: async ({ w, admin }: World) => ({
    id: (await makeApiToken(admin, { workspace: { id: w } })).row.id,
  }),
  workspaceMember: async ({ w }: World) => {
    const user = await makeUser()
    await prisma().workspaceMember.create({ data: { workspaceId: w, userId: user.id, role: 'VIEWER' } })
    return { u: user.id }
  },
  projectMember: async ({ p }: World) => {
    const user = await makeUser()
    await prisma().projectMember.create({ data: { projectId: p, userId: user.id, role: 'VIEWER' } })
    return { u: user.id }
  },
  workspace: async ({ user }: World) => {
    return {
      id: (
        await makeWorkspace([
          [user, 'ADMIN'],
          [await makeUser(), 'ADMIN'],
        ])
      ).id,
    }
  },
  invitation: async ({ w }: World) => ({
    id: (await prisma().invitation.create({ data: invitationTo(w) })).id,
  }),
  link: async () => {
    const { id } = await makeWorkspace()
    const token = mintCredential('invitation')
    await prisma().invitation.create({
      data: { ...invitationTo(id), hash: new Uint8Array(hashCredential(token)) },
    })
    return { token }
  },
  webhook: async ({ w }: World) => {
    const data = {
      workspaceId: w,
      url: 'https://a.example/',
      events: ['token.*'],
      sealedSecret: new Uint8Array(40),
    }
    return { id: (await prisma().webhook.create({ data })).id }
  },
  delivery: async (world: World) => {
    const { id: webhookId } = await fresh.webhook(world)
    const data = { webhookId, eventId: crypto.randomUUID(), event: 'token.created', payload: {} }
    return { id: (await prisma().webhookDelivery.create({ data })).id }
  },
  own: {
    token: async ({ user }: World) => ({ id: (await makeApiToken(user)).row.id }),
    session: async ({ user }: World) => {
      const expiresAt = new Date(Date.now() + 60_000)
      return { id: (await prisma().session.create({ data: { userId: user.id, expiresAt } })).id }
    },
    key: async ({ user }: World) => {
      const data = { userId: user.id, name: 'k', publicKey: 'k', fingerprint: name() }
      return { id: (await prisma().sshPublicKey.create({ data })).id }
    },
    passkey: async ({ user }: World) => {
      const data = { id: name(), userId: user.id, name: 'Laptop', publicKey: new Uint8Array(77) }
      return { id: (await prisma().passkey.create({ data })).id }
    },
    noApp: async ({ user }: World) => {
      await prisma().totpSecret.deleteMany({ where: { userId: user.id } })
      return {}
    },
    authenticatorApp: async (world: World) => {
      await fresh.own.noApp(world)
      const data = { userId: world.user.id, sealed: new Uint8Array(40), confirmedAt: new Date() }
      await prisma().totpSecret.create({ data })
      return {}
    },
    notification: async ({ user }: World) => {
      const data = { userId: user.id, type: 'TOKEN_EXPIRING' as const, title: 't', body: 'b' }
      return { id: (await prisma().notification.create({ data })).id }
    },
    authorization: async ({ user }: World) => ({
      id: (await makeAccessToken(user, ['openid'])).authorization.id,
    }),
  },
}

/** Creates an app in one workspace, with a request to transfer it to another workspace. */
async function offer(from: { id: string }, workspaceId: string) {
  const { client } = await makeClient(from)
  const expiresAt = new Date(Date.now() + 60_000)
  await prisma().appTransfer.create({ data: { clientId: client.id, workspaceId, expiresAt } })
  return { id: client.id }
}

const invitationTo = (workspaceId: string) => ({
  workspaceId,
  email: `${name()}@example.com`,
  role: 'VIEWER' as const,
  hash: crypto.getRandomValues(new Uint8Array(32)),
  expiresAt: new Date(Date.now() + 60_000),
})

/** Returns random bytes in the format of an Ed25519 SSH public key. */
export function newKey(): string {
  const type = Buffer.from('ssh-ed25519')
  const field = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([field(type), field(crypto.getRandomValues(new Uint8Array(32)))])
  return `ssh-ed25519 ${blob.toString('base64')}`
}
