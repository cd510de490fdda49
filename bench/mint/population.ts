import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { apiSecret, apis } from '../operations/apis'
import { type AppName, appNames, apps, type Client } from '../operations/apps'

/** The number of users, enough for each credential of a measurement to belong to a different user. */
export const usersCount = 10_000
const workspacesEach = 3
/**
 * The number of workspaces with projects. They are the first workspaces of the first users. Measurements use
 * only these users' access tokens.
 */
const withProjects = 64
const projectsEach = 60

const clientOf = (name: AppName): Client => ({
  id: `bench-${name}`,
  secret: apps[name].secret ? `lk_cs_${name.replace('-', '0').padEnd(43, '0')}nothing` : '',
})

/** The client of each app. Every user has authorized every client. */
export const clients = Object.fromEntries(appNames.map((name) => [name, clientOf(name)])) as Record<
  AppName,
  Client
>
export const scope = 'openid offline_access email profile workspace:member'

/** Returns an ID that can be computed without a query. @param n the row's number, from 1 */
const id = (kind: number, n: number) =>
  `00000000-0000-7000-80${String(kind).padStart(2, '0')}-${n.toString(16).padStart(12, '0')}`
const sqlId = (kind: number, n: string) =>
  `('00000000-0000-7000-80${String(kind).padStart(2, '0')}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

export const userId = (n: number): string => id(1, n)
export const workspaceId = (n: number): string => id(2, n)
/**
 * Returns the ID of the first project in a user's first workspace. Only the first `withProjects` users have
 * this project.
 */
export const projectId = (n: number): string => id(5, n * 1000 + 1)

const authorizationKind = (app: AppName) => 10 + appNames.indexOf(app)
export const authorizationId = (n: number, app: AppName): string => id(authorizationKind(app), n)

const own = (g: string) => sqlId(2, `1 + (${g} - 1 + k * 37) % ${usersCount}`)

const statements = (redirectUri: string): string[] => [
  `INSERT INTO users (id, name, email, email_verified_at, updated_at)
   SELECT ${sqlId(1, 'g')}, 'User ' || g, 'u' || g || '@example.test', now(), now()
     FROM generate_series(1, ${usersCount}) g`,
  `INSERT INTO workspaces (id, slug, name, updated_at)
   SELECT ${sqlId(2, 'g')}, 'workspace-' || g, 'Workspace ' || g, now() FROM generate_series(1, ${usersCount}) g`,
  `INSERT INTO workspace_members (workspace_id, user_id, role)
   SELECT ${own('g')}, ${sqlId(1, 'g')}, 'ADMIN'
     FROM generate_series(1, ${usersCount}) g, generate_series(0, ${workspacesEach - 1}) k`,
  `INSERT INTO projects (id, workspace_id, name, updated_at)
   SELECT ${sqlId(5, `w * 1000 + p`)}, ${sqlId(2, 'w')}, 'Project ' || p, now()
     FROM generate_series(1, ${withProjects}) w, generate_series(1, ${projectsEach}) p`,
  `INSERT INTO project_members (project_id, user_id, role)
   SELECT ${sqlId(5, `w * 1000 + p`)}, ${sqlId(1, 'w + k * 100')}, 'MEMBER'
     FROM generate_series(1, ${withProjects}) w, generate_series(1, ${projectsEach}) p, generate_series(0, 2) k`,
  ...appNames.flatMap((app, i) => appStatements(app, i, redirectUri)),
  ...Object.entries(apis).flatMap(([name, api]) => apiStatements(name, api)),
  // Without these rows, the ANALYZE statement below would find an empty table. PostgreSQL would then scan the
  // whole table in each query until autovacuum analyzes the table again, typically for a minute.
  `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, expires_at)
   SELECT sha256(('other' || g)::bytea), 'AccessToken', ${sqlId(authorizationKind('native'), 'g')},
          '{"scope": "openid email profile"}', now() + interval '1 hour' FROM generate_series(1, 5000) g`,
  'ANALYZE users, workspaces, workspace_members, projects, project_members, authorizations, oauth_artifacts',
]

/** Returns statements that create an app, its secret if it has one, and every user's authorization. */
const appStatements = (app: AppName, i: number, redirectUri: string): string[] => [
  `INSERT INTO oauth_clients (id, type, name, workspace_id, redirect_uris, metadata, updated_at)
   VALUES ('${clients[app].id}', '${apps[app].secret ? 'WEB' : 'NATIVE'}', 'Bench', ${sqlId(2, '1')}, ARRAY['${redirectUri}'],
           '{"id_token_signed_response_alg": "${apps[app].algorithm}"}', now())`,
  `INSERT INTO authorizations (id, user_id, client_id, scopes, workspace_ids, project_ids, updated_at)
   SELECT ${sqlId(authorizationKind(app), 'g')}, ${sqlId(1, 'g')}, '${clients[app].id}', '{${scope.replaceAll(' ', ',')}}',
          ARRAY(SELECT ${own('g')} FROM generate_series(0, ${workspacesEach - 1}) k), '{}', now()
     FROM generate_series(1, ${usersCount}) g`,
  ...(apps[app].secret
    ? [
        `INSERT INTO oauth_client_secrets (id, client_id, hash, last_four)
         VALUES (${sqlId(6, String(i + 1))}, '${clients[app].id}', '\\x${hashCredential(clients[app].secret).toString('hex')}', 'hing')`,
      ]
    : []),
]

/**
 * Returns statements that create an API with one scope, and grant the native app access to the API for every
 * user.
 */
const apiStatements = (name: string, api: (typeof apis)[keyof typeof apis]): string[] => [
  `INSERT INTO apis (id, identifier, name, token_format, token_lifetime, signing_algorithm, updated_at)
   VALUES ('${api.id}', '${api.identifier}', '${name}', '${name.toUpperCase()}', 300, 'ES256', now())`,
  `INSERT INTO api_scopes (name, api_id, description, sensitivity, selects, position)
   VALUES ('${api.scope}', '${api.id}', 'Read the workspaces you choose', 'LOW', 'WORKSPACES', 0)`,
  // Only the API with opaque tokens sends requests, so the other API needs no secret.
  ...(name === 'opaque'
    ? [
        `INSERT INTO api_credentials (id, api_id, hash, last_four)
         VALUES (${sqlId(7, '1')}, '${api.id}', '\\x${hashCredential(apiSecret).toString('hex')}', '${apiSecret.slice(-4)}')`,
      ]
    : []),
  `INSERT INTO api_grants (authorization_id, api_id, scopes, workspace_ids, updated_at)
   SELECT ${sqlId(authorizationKind('native'), 'g')}, '${api.id}', '{${api.scope}}',
          ARRAY(SELECT ${own('g')} FROM generate_series(0, 0) k), now() FROM generate_series(1, ${usersCount}) g`,
]

/**
 * Fills a migrated database with users, workspaces, projects, APIs, access tokens, and apps that every user
 * has authorized. Does nothing if the first user exists. Inserts the rows in bulk instead of with the
 * product's functions, because no measured operation creates users, workspaces, projects, or apps.
 */
export async function ensurePopulation(redirectUri: string): Promise<void> {
  const { rowCount } = await pool().query('SELECT FROM users WHERE id = $1', [userId(1)])
  if (rowCount) return
  for (const sql of statements(redirectUri)) await pool().query(sql)
}

/**
 * Returns SQL that adds projects to the first user's first workspace.
 * @param choices the number of workspaces and projects from which the user can then choose
 */
export const moreChoices = (choices: number): string => {
  const mine = `workspace_members m WHERE m.user_id = '${userId(1)}'`
  return `INSERT INTO projects (id, workspace_id, name, updated_at)
    SELECT gen_random_uuid(), '${workspaceId(1)}', 'Choice ' || n, now()
      FROM generate_series(1, ${choices} - (SELECT count(*) FROM ${mine})
        - (SELECT count(*) FROM projects p WHERE p.workspace_id IN (SELECT m.workspace_id FROM ${mine}))) n`
}
