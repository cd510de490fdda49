import pg from 'pg'

/** What PostgreSQL and the system answer to a connection that cannot be made, and what the operator can do about it. */
const explanations: Record<string, (at: Place) => string> = {
  '28P01': ({ user }) => `the password of "${user}" is wrong`,
  '28000': ({ user }) => `"${user}" may not sign in to it`,
  '3D000': ({ database }) => `there is no database "${database}" on that server, create it first`,
  '53300': () => 'the server has no connection left',
  '57P03': () => 'the server is still starting, try again in a moment',
  ECONNREFUSED: () => 'nothing listens there, start the database or correct the address',
  ENOTFOUND: ({ host }) => `the name "${host}" is unknown, correct the address`,
  EAI_AGAIN: ({ host }) => `the name "${host}" cannot be looked up now, correct the address or the network`,
}

type Place = { host: string; user: string; database: string }

/**
 * Connects once, to tell a wrong DATABASE_URL from everything that may fail later.
 * @throws Error with one sentence that says what is wrong; the password is never repeated
 */
export async function checkConnection(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (cause) {
    const { code = '', message } = cause as Error & { code?: string }
    const place = { host: client.host, user: client.user ?? '', database: client.database ?? '' }
    const why = explanations[code]?.(place) ?? message
    throw new Error(`The database of DATABASE_URL (${place.host}:${client.port}) cannot be used: ${why}.`, {
      cause,
    })
  }
  await client.end()
}
