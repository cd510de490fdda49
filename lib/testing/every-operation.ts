import { prisma } from '@/lib/base/db/prisma'
import { fresh, name, newKey, type World } from './fresh-rows'

export type Variables = Record<string, unknown>
/** One operation: how it is tried, what on, and what comes of it for each caller. */
export type TriedOperation = {
  query: string
  expected: string
  target?: (world: World) => Promise<Variables>
}

const connection = '{ totalCount nodes { __typename } pageInfo { hasNextPage } }'

const email = async () => ({ email: `${name()}@example.com` })
const named = async () => ({ name: name() })

/** By its name, with the letters of lib/edges/graphql/every-operation.db.test.ts, one for each caller. */
// biome-ignore format: one operation a line
export const everyOperation: Record<string, TriedOperation> = {
  apiTokens: { query: `{ apiTokens ${connection} }`, expected: '.....FFFFFFFFF' },
  auditLogs: { query: `query ($w: ID!) { auditLogs(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  authorizedApps: { query: `{ authorizedApps ${connection} }`, expected: '.....FFFFFFFFF' },
  currentToken: { query: '{ currentToken { kind } }', expected: '..............' },
  environment: { query: 'query ($env: ID!) { environment(id: $env) { id } }', expected: 'N..........S..' },
  environments: { query: `query ($p: ID!) { environments(projectId: $p) ${connection} }`, expected: 'N..........S..' },
  externalWorkspaces: { query: '{ externalWorkspaces { id } }', expected: '...........S..' },
  me: { query: '{ me { id } }', expected: '..............' },
  node: { query: 'query ($p: ID!) { node(id: $p) { id } }', expected: 'N..........S..' },
  nodes: { query: 'query ($env: ID!) { nodes(ids: [$env]) { id } }', expected: 'N..........S..' },
  notificationRules: { query: 'query ($w: ID!) { notificationRules(workspaceId: $w) { type } }', expected: 'NN...FFSSSSS..' },
  notifications: { query: `{ notifications ${connection} }`, expected: '.....FFSSSS...' },
  notificationsUnread: { query: '{ notificationsUnread }', expected: '.....FFSSSS...' },
  oauthApp: { query: 'query ($id: ID!) { oauthApp(id: $id) { people } }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  oauthApps: { query: `query ($w: ID!) { oauthApps(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  project: { query: 'query ($p: ID!) { project(id: $p) { id } }', expected: 'N..........S..' },
  projectInvitations: { query: `query ($p: ID!) { projectInvitations(projectId: $p) ${connection} }`, expected: 'NFFF...SS..SFF' },
  projectMembers: { query: `query ($p: ID!) { projectMembers(projectId: $p) ${connection} }`, expected: 'N..........S..' },
  projectToken: { query: '{ projectToken { id } }', expected: 'FFFFFF.FFFFFFF' },
  projectTokens: { query: `query ($p: ID!) { projectTokens(projectId: $p) ${connection} }`, expected: 'NFFF...SS..SFF' },
  projectsByIds: { query: 'query ($p: ID!) { projectsByIds(ids: [$p]) { id } }', expected: 'N..........S..' },
  projects: { query: `query ($w: ID!) { projects(workspaceId: $w) ${connection} }`, expected: 'N..........S..' },
  sessions: { query: `{ sessions ${connection} }`, expected: '.....FFFFFFFFF' },
  sshPublicKeys: { query: `{ sshPublicKeys ${connection} }`, expected: '.....FFSSSS...' },
  variableChanges: { query: `query ($env: ID!) { variableChanges(environmentId: $env) ${connection} }`, expected: 'N..........S..' },
  variables: { query: `query ($env: ID!) { variables(environmentId: $env) ${connection} }`, expected: 'N..........S..' },
  webhook: { query: 'query ($id: ID!) { webhook(id: $id) { id } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookDeliveries: { query: `query ($id: ID!) { webhookDeliveries(webhookId: $id) ${connection} }`, target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookEventTypes: { query: '{ webhookEventTypes { name } }', expected: '..............' },
  webhooks: { query: `query ($w: ID!) { webhooks(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  workspace: { query: 'query ($w: ID!) { workspace(workspaceId: $w) { id } }', expected: 'NN....R...SS..' },
  workspaceInvitations: { query: `query ($w: ID!) { workspaceInvitations(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  workspaceApps: { query: `query ($w: ID!) { workspaceApps(workspaceId: $w) ${connection} }`, expected: 'NNFF..RFFFFFFF' },
  workspaceMembers: { query: `query ($w: ID!) { workspaceMembers(workspaceId: $w) ${connection} }`, expected: 'NN....R...SS..' },
  workspaceTokens: { query: `query ($w: ID!) { workspaceTokens(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },

  apiTokenCreate: { query: 'mutation { apiTokenCreate(input: { name: "t" }) }', expected: '.....FFFFFFFFF' },
  apiTokenIssue: { query: 'mutation { apiTokenIssue(input: { name: "t" }) { secret } }', expected: '.....FFFFFFFFF' },
  apiTokenDelete: { query: 'mutation ($id: ID!) { apiTokenDelete(id: $id) }', target: fresh.own.token, expected: '.....FFFFFFFFF' },
  authorizedAppRevoke: { query: 'mutation ($id: ID!) { authorizedAppRevoke(id: $id) }', target: fresh.own.authorization, expected: '.....FFFFFFFFF' },
  authorizedAppUpdate: { query: 'mutation ($id: ID!) { authorizedAppUpdate(id: $id, input: { workspaceIds: [], projectIds: [] }) { id } }', target: fresh.own.authorization, expected: '.....FFFFFFFFF' },
  environmentCreate: { query: 'mutation ($p: ID!, $name: String!) { environmentCreate(input: { projectId: $p, name: $name }) { id } }', target: named, expected: 'NFF....S...S.F' },
  environmentDelete: { query: 'mutation ($id: ID!) { environmentDelete(id: $id) }', target: fresh.environment, expected: 'NFFF...SS..SFF' },
  environmentRename: { query: 'mutation ($id: ID!) { environmentRename(id: $id, input: { name: "same" }) { id } }', target: async ({ p }) => { await prisma().environment.deleteMany({ where: { projectId: p, name: 'same' } }); return fresh.environment({ p } as World) }, expected: 'NFF....S...S.F' },
  notificationsMarkAllRead: { query: 'mutation { notificationsMarkAllRead }', expected: '.....FFSSSS..F' },
  notificationMarkRead: { query: 'mutation ($id: ID!) { notificationMarkRead(id: $id) { id } }', target: fresh.own.notification, expected: '.....FFSSSS..F' },
  notificationRuleUpdate: { query: 'mutation ($w: ID!) { notificationRuleUpdate(input: { workspaceId: $w, type: MEMBER_ADDED, inApp: true, email: false }) { type } }', expected: 'NN...FFSSSSS.F' },
  oauthAppCreate: { query: 'mutation ($w: ID!) { oauthAppCreate(input: { workspaceId: $w, name: "A", type: WEB, redirectUris: ["https://a.example/cb"] }) { secret } }', expected: 'NNFF..RSS.SSFF' },
  oauthAppDelete: { query: 'mutation ($id: ID!) { oauthAppDelete(id: $id) }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  oauthAppSecretCreate: { query: 'mutation ($id: ID!) { oauthAppSecretCreate(id: $id) { secret } }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  oauthAppSecretDelete: { query: 'mutation ($id: ID!, $secretId: ID!) { oauthAppSecretDelete(id: $id, secretId: $secretId) }', target: fresh.secret, expected: 'NNFF..RSS.SSFF' },
  oauthAppUpdate: { query: 'mutation ($id: ID!) { oauthAppUpdate(id: $id, input: { name: "B" }) { id } }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  projectCreate: { query: 'mutation ($w: ID!) { projectCreate(input: { workspaceId: $w, name: "P" }) { id } }', expected: 'NNF...RS..SS.F' },
  projectDelete: { query: 'mutation ($id: ID!) { projectDelete(id: $id) }', target: fresh.project, expected: 'NNFF..RSS.RSFF' },
  projectMemberRemove: { query: 'mutation ($p: ID!, $u: ID!) { projectMemberRemove(projectId: $p, userId: $u) }', target: fresh.projectMember, expected: 'NFFF...SS..SFF' },
  projectMemberUpsert: { query: 'mutation ($p: ID!, $u: ID!) { projectMemberUpsert(input: { projectId: $p, userId: $u, role: MEMBER }) { id } }', target: fresh.projectMember, expected: 'NFFF...SS..SFF' },
  projectTokenCreate: { query: 'mutation ($p: ID!) { projectTokenCreate(input: { projectId: $p, name: "t" }) { secret } }', expected: 'NFFF.FFFFFFFFF' },
  projectTokenDelete: { query: 'mutation ($id: ID!) { projectTokenDelete(id: $id) }', target: fresh.projectToken, expected: 'NFFF...SS..SFF' },
  projectUpdate: { query: 'mutation ($p: ID!) { projectUpdate(id: $p, input: { name: "P" }) { id } }', expected: 'NFF....S...S.F' },
  sessionDelete: { query: 'mutation ($id: ID!) { sessionDelete(id: $id) }', target: fresh.own.session, expected: '.....FFFFFFFFF' },
  sshPublicKeyCreate: { query: 'mutation ($key: String!) { sshPublicKeyCreate(input: { publicKey: $key }) { id } }', target: async () => ({ key: newKey() }), expected: '.....FFSSSS.FF' },
  sshPublicKeyDelete: { query: 'mutation ($id: ID!) { sshPublicKeyDelete(id: $id) }', target: fresh.own.key, expected: '.....FFSSSS.FF' },
  userUpdate: { query: 'mutation { userUpdate(input: { name: "New" }) { id } }', expected: '.....FFFFFFFFF' },
  variableDelete: { query: 'mutation ($env: ID!, $name: String!) { variableDelete(input: { environmentId: $env, name: $name }) }', target: fresh.variable, expected: 'NFF....S...S.F' },
  variableUpsert: { query: 'mutation ($env: ID!) { variableUpsert(input: { environmentId: $env, name: "A", value: "1" }) { id } }', expected: 'NFF....S...S.F' },
  variablesUpsert: { query: 'mutation ($env: ID!) { variablesUpsert(input: { environmentId: $env, variables: [{ name: "B", value: "1" }] }) { deleted } }', expected: 'NFF....S...S.F' },
  webhookCreate: { query: 'mutation ($w: ID!) { webhookCreate(input: { workspaceId: $w, url: "https://a.example/", events: ["token.*"] }) { secret } }', target: async ({ w }) => { await prisma().webhook.deleteMany({ where: { workspaceId: w } }); return {} }, expected: 'NNFF..RSS.SSFF' },
  webhookDelete: { query: 'mutation ($id: ID!) { webhookDelete(id: $id) }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookDeliveryResend: { query: 'mutation ($id: ID!) { webhookDeliveryResend(id: $id) { id } }', target: fresh.delivery, expected: 'NNFF..RSS.SSFF' },
  webhookSecretRotate: { query: 'mutation ($id: ID!) { webhookSecretRotate(id: $id) { secret } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookTest: { query: 'mutation ($id: ID!) { webhookTest(id: $id) { id } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookUpdate: { query: 'mutation ($id: ID!) { webhookUpdate(id: $id, input: { enabled: false }) { id } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  workspaceCreate: { query: 'mutation { workspaceCreate(input: { name: "W" }) { id } }', expected: '.....FFFFFFFFF' },
  workspaceAppApprove: { query: 'mutation ($w: ID!, $id: ID!) { workspaceAppApprove(input: { workspaceId: $w, clientId: $id, scopes: ["workspace:viewer"] }) { clientId } }', target: fresh.app, expected: 'NNFF..RFFFFFFF' },
  workspaceAppBlock: { query: 'mutation ($w: ID!, $id: ID!) { workspaceAppBlock(workspaceId: $w, clientId: $id) { clientId } }', target: fresh.app, expected: 'NNFF..RFFFFFFF' },
  workspaceAppDecisionWithdraw: { query: 'mutation ($w: ID!, $id: ID!) { workspaceAppDecisionWithdraw(workspaceId: $w, clientId: $id) }', target: fresh.blockedApp, expected: 'NNFF..RFFFFFFF' },
  workspaceAppPolicySet: { query: 'mutation ($w: ID!) { workspaceAppPolicySet(workspaceId: $w, policy: OPEN) }', expected: 'NNFF..RFFFFFFF' },
  workspaceAppRevoke: { query: 'mutation ($w: ID!, $id: ID!) { workspaceAppRevoke(workspaceId: $w, clientId: $id) }', target: fresh.app, expected: 'NNFF..RFFFFFFF' },
  workspaceDelete: { query: 'mutation ($id: ID!) { workspaceDelete(id: $id) }', target: fresh.workspace, expected: '.....RRSSRSSFF' },
  workspaceInvitationAccept: { query: 'mutation ($token: String!) { workspaceInvitationAccept(token: $token) { id } }', target: fresh.link, expected: '.....FFFFFFFFF' },
  workspaceInvitationCreate: { query: 'mutation ($w: ID!, $email: String!) { workspaceInvitationCreate(input: { workspaceId: $w, email: $email, role: VIEWER }) { link } }', target: email, expected: 'NNFF..RSS.SSFF' },
  workspaceInvitationRevoke: { query: 'mutation ($id: ID!) { workspaceInvitationRevoke(id: $id) }', target: fresh.invitation, expected: 'NNFF..RSS.SSFF' },
  workspaceLeave: { query: 'mutation ($id: ID!) { workspaceLeave(workspaceId: $id) }', target: fresh.workspace, expected: '.....FFFFFFFFF' },
  workspaceMemberRemove: { query: 'mutation ($w: ID!, $u: ID!) { workspaceMemberRemove(workspaceId: $w, userId: $u) }', target: fresh.workspaceMember, expected: 'NNFF..RSS.SSFF' },
  workspaceMemberUpdate: { query: 'mutation ($w: ID!, $u: ID!) { workspaceMemberUpdate(input: { workspaceId: $w, userId: $u, role: MEMBER }) { id } }', target: fresh.workspaceMember, expected: 'NNFF..RSS.SSFF' },
  workspaceTokenDelete: { query: 'mutation ($id: ID!) { workspaceTokenDelete(id: $id) }', target: fresh.workspaceToken, expected: 'NNFF..RSS.SSFF' },
  workspaceUpdate: { query: 'mutation ($w: ID!) { workspaceUpdate(id: $w, input: { name: "W" }) { id } }', expected: 'NNFF..RSS.SSFF' },
}
