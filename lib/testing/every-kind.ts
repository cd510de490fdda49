import { expect } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from './factories'
import { newKey } from './fresh-rows'
import type { serveGraphQL } from './graphql-server'

/** The result of `makeEveryKind`. */
export type EveryKind = Awaited<ReturnType<typeof makeEveryKind>>

/**
 * Creates a workspace, at least one object of each kind, and users with and without access to the workspace.
 */
export async function makeEveryKind(api: ReturnType<typeof serveGraphQL>) {
  const [admin, viewer, stranger] = [await makeUser(), await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [admin, 'ADMIN'],
    [viewer, 'VIEWER'],
  ])
  const project = await makeProject(workspace, [], { name: 'Site' })
  const token = (await makeApiToken(admin)).token
  const ask = async (query: string, variables?: object) => {
    const { data, errors } = await api.execute(token, query, variables)
    expect(errors).toBeUndefined()
    return data
  }
  const w = workspace.id
  const made = await ask(
    `mutation ($w: ID!, $p: ID!, $key: String!) {
      env: environmentCreate(input: { projectId: $p, name: "production" }) { id }
      app: oauthAppCreate(input: { workspaceId: $w, name: "A", type: WEB, redirectUris: ["https://a.example/cb"] }) { oauthApp { id } }
      hook: webhookCreate(input: { workspaceId: $w, url: "https://a.example/", events: ["project.*"] }) { webhook { id } }
      invited: workspaceInvitationCreate(input: { workspaceId: $w, email: "x@example.com", role: VIEWER }) { workspaceInvitation { id } }
      guest: workspaceInvitationCreate(input: { projectId: $p, email: "y@example.com", role: VIEWER }) { workspaceInvitation { id } }
      key: sshPublicKeyCreate(input: { publicKey: $key }) { id }
      own: apiTokenCreateWithDetails(input: { name: "own" }) { apiToken { id } }
      ofProject: projectTokenCreate(input: { projectId: $p, name: "p" }) { projectToken { id } }
    }`,
    { w, p: project.id, key: newKey() },
  )
  const { set } = await ask(
    `mutation { set: variableUpsert(input: { environmentId: "${made.env.id}", name: "A", value: "1" }) { id } }`,
  )
  const userId = admin.id
  const delivery = await prisma().webhookDelivery.create({
    data: {
      webhookId: made.hook.webhook.id,
      eventId: made.hook.webhook.id,
      event: 'project.created',
      payload: {},
    },
  })
  const expiresAt = new Date(Date.now() + 86_400_000)
  const session = await prisma().session.create({ data: { userId, methods: ['pwd'], expiresAt } })
  const notice = await prisma().notification.create({
    data: { userId, type: 'TOKEN_EXPIRING', title: 'Soon', body: 'Soon' },
  })
  const { client } = await makeClient({ id: w })
  const authorization = await prisma().authorization.create({
    data: { userId, clientId: client.id, scopes: ['openid', 'workspace:viewer'], workspaceIds: [w] },
  })
  const event = await prisma().auditEvent.findFirstOrThrow({
    where: { workspaceId: w, action: 'environment.created' },
  })
  const ids: Record<string, string> = {
    Workspace: w,
    Project: project.id,
    Environment: made.env.id,
    Variable: set.id,
    ApiToken: made.own.apiToken.id,
    ProjectToken: made.ofProject.projectToken.id,
    AuthorizedApp: authorization.id,
    Webhook: made.hook.webhook.id,
    WebhookDelivery: delivery.id,
    WorkspaceInvitation: made.invited.workspaceInvitation.id,
    AuditLog: event.id,
    Notification: notice.id,
    SshPublicKey: made.key.id,
    Session: session.id,
    User: admin.id,
    OAuthApp: made.app.oauthApp.id,
  }
  return {
    admin,
    viewer,
    stranger,
    workspace,
    project,
    token,
    ask,
    ids,
    guestInvitation: made.guest.workspaceInvitation.id,
  }
}
