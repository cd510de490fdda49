// P5: graphql-yoga on node:http, or mercurius with its JIT on fastify (ENGINE=mercurius). Both servers use
// the same prepared statements, which read a token by its hash, a user, a user's workspaces, a page of the
// user's projects, and the members of several projects.
import { createHash } from 'node:crypto'
import DataLoader from 'dataloader'
import pg from 'pg'
import { databaseUrl, port } from './common.mjs'

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const prepared =
  (name, text) =>
  async (...values) =>
    (await pool.query({ name, text, values })).rows

const findToken = prepared(
  'token',
  'SELECT user_id, scope FROM app_token WHERE hash = $1 AND expires_at > now()',
)
const findUser = prepared('user', 'SELECT id, email, name FROM app_user WHERE id = $1')
const findWorkspaces = prepared(
  'workspaces',
  `SELECT w.id, w.name FROM app_member m JOIN app_workspace w ON w.id = m.workspace_id WHERE m.user_id = $1`,
)
const findProjects = prepared(
  'projects',
  `SELECT p.id, p.name, p.description, p.workspace_id AS "workspaceId"
     FROM app_member m JOIN app_project p ON p.workspace_id = m.workspace_id
    WHERE m.user_id = $1 AND ($2::uuid IS NULL OR p.workspace_id = $2) ORDER BY p.id LIMIT $3`,
)
const findMembers = prepared(
  'members',
  `SELECT m.project_id, u.id, u.name, m.role FROM app_project_member m JOIN app_user u ON u.id = m.user_id
    WHERE m.project_id = ANY($1::uuid[]) ORDER BY m.project_id, u.id`,
)

async function membersOf(projectIds) {
  const byProject = new Map(projectIds.map((id) => [id, []]))
  for (const row of await findMembers(projectIds)) byProject.get(row.project_id).push(row)
  return projectIds.map((id) => byProject.get(id))
}

async function contextOf(authorization) {
  const hash = createHash('sha256')
    .update(authorization?.slice(7) ?? '')
    .digest()
  const [actor] = await findToken(hash)
  return { actor, members: new DataLoader(membersOf) }
}

const typeDefs = `type Query { me: User projects(workspaceId: ID, first: Int): Projects! }
  type User { id: ID! email: String! name: String! workspaces: [Workspace!]! }
  type Workspace { id: ID! name: String! }
  type Projects { edges: [ProjectEdge!]! pageInfo: PageInfo! }
  type ProjectEdge { node: Project! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type Project { id: ID! name: String! description: String! workspaceId: ID! members: [Member!]! }
  type Member { id: ID! name: String! role: String! }`

const signedIn = ({ actor }) => {
  if (!actor) throw new Error('UNAUTHENTICATED')
  return actor.user_id
}
const resolvers = {
  Query: {
    me: async (_root, _args, context) => (await findUser(signedIn(context)))[0],
    projects: async (_root, { workspaceId = null, first = 50 }, context) => {
      const rows = await findProjects(signedIn(context), workspaceId, first + 1)
      const page = rows.slice(0, first)
      const pageInfo = { hasNextPage: rows.length > first, endCursor: page.at(-1)?.id }
      return { edges: page.map((node) => ({ node })), pageInfo }
    },
  },
  User: { workspaces: (user) => findWorkspaces(user.id) },
  Project: { members: (project, _args, { members }) => members.load(project.id) },
}

if (process.env.ENGINE === 'mercurius') {
  const { default: fastify } = await import('fastify')
  const { default: mercurius } = await import('mercurius')
  const app = fastify()
  await app.register(mercurius, {
    schema: typeDefs,
    resolvers,
    path: '/graphql',
    jit: 1,
    context: (req) => contextOf(req.headers.authorization),
  })
  app.get('/hello', async () => ({}))
  await app.listen({ port, host: '127.0.0.1' })
} else {
  const { createServer } = await import('node:http')
  const { createSchema, createYoga } = await import('graphql-yoga')
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    logging: false,
    graphiql: false,
    context: ({ request }) => contextOf(request.headers.get('authorization')),
  })
  createServer((req, res) => (req.url === '/hello' ? res.end('{}') : yoga(req, res))).listen(
    port,
    '127.0.0.1',
  )
}
