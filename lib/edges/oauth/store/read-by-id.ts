import { packedStatement } from '@/lib/base/db/packed-statement'
import { readByKey } from '@/lib/base/db/shared-reads'
import { worthUnder } from '@/lib/policy/scopes'
import { type AuthorizationRow, type PersonRow, personColumns } from './snapshot'

const readPerson = packedStatement<PersonRow, [string]>(
  'oauth-person',
  personColumns,
  'FROM users u WHERE u.id = $1::uuid',
)

/** A person by id, for requests that carry no credential yet. */
export const loadPerson = async (id: string): Promise<PersonRow | undefined> => (await readPerson(id))[0]

const readAuthorization = readByKey<AuthorizationRow & { allowed: string[] }, [string]>(
  'oauth-authorization',
  `SELECT z.id, z.user_id AS "userId", z.client_id AS "clientId", z.scopes, z.sign_ins AS "signIns",
          COALESCE(c.allowed_scopes, '{}') AS allowed
     FROM authorizations z JOIN oauth_clients c ON c.id = z.client_id WHERE z.id = $1::uuid`,
)

/** An authorization by id. */
export async function loadAuthorization(id: string): Promise<AuthorizationRow | undefined> {
  const [found] = await readAuthorization(id)
  if (!found) return undefined
  const { allowed, ...row } = found
  return { ...row, scopes: worthUnder(row.scopes, allowed) }
}
