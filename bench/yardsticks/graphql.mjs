// P5: graphql-yoga on node:http, or mercurius on fastify (ENGINE=mercurius), with the same three prepared statements:
// the token by its hash, the person, the person's workspaces.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { databaseUrl, port } from './common.mjs'

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const prepared = async (name, text, value) => (await pool.query({ name, text, values: [value] })).rows

async function actorOf(authorization) {
  const hash = createHash('sha256')
    .update(authorization?.slice(7) ?? '')
    .digest()
  const text = 'SELECT user_id, scope FROM app_token WHERE hash = $1 AND expires_at > now()'
  return (await prepared('token', text, hash))[0]
}

const typeDefs = `type Query { me: User }
  type User { id: ID! email: String! workspaces: [Workspace!]! }
  type Workspace { id: ID! name: String! }`
const resolvers = {
  Query: {
    me: async (_root, _args, { actor }) => {
      if (!actor) throw new Error('UNAUTHENTICATED')
      return (await prepared('person', 'SELECT id, email FROM app_user WHERE id = $1', actor.user_id))[0]
    },
  },
  User: {
    workspaces: (user) =>
      prepared(
        'workspaces',
        `SELECT w.id, w.name FROM app_member m JOIN app_workspace w ON w.id = m.workspace_id
          WHERE m.user_id = $1`,
        user.id,
      ),
  },
}

if (process.env.ENGINE === 'mercurius') {
  const { default: fastify } = await import('fastify')
  const { default: mercurius } = await import('mercurius')
  const app = fastify()
  await app.register(mercurius, {
    schema: typeDefs,
    resolvers,
    path: '/graphql',
    context: async (req) => ({ actor: await actorOf(req.headers.authorization) }),
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
    context: async ({ request }) => ({ actor: await actorOf(request.headers.get('authorization')) }),
  })
  createServer((req, res) => (req.url === '/hello' ? res.end('{}') : yoga(req, res))).listen(
    port,
    '127.0.0.1',
  )
}
