import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'

export type Fields = Record<string, string>
/** A request to make, and the credential whose row it is about. */
export type Prepared = { fields: Fields; credential?: string; headers?: Fields; path?: string; raw?: string }

/** The same request with other fields. */
export const withField = async (prepared: Promise<Prepared>, fields: Fields): Promise<Prepared> => {
  const { fields: before, ...rest } = await prepared
  return { ...rest, fields: { ...before, ...fields } }
}
/** The same request without a field. */
export const without = async (prepared: Promise<Prepared>, name: string): Promise<Prepared> => {
  const { fields, ...rest } = await prepared
  return { ...rest, fields: Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name)) }
}
/** The same request with headers of its own. */
export const withHeaders = async (prepared: Promise<Prepared>, headers: Fields): Promise<Prepared> => ({
  ...(await prepared),
  headers,
})
/** The same request with its body edited as text. */
export const written = async (
  prepared: Promise<Prepared>,
  edit: (raw: string) => string,
): Promise<Prepared> => {
  const made = await prepared
  return { ...made, raw: edit(String(new URLSearchParams(made.fields))) }
}

/** A credential like another, with a row of its own. */
export async function copyOf(value: string, kind: 'authorizationCode' | 'refreshToken'): Promise<string> {
  const copy = mintCredential(kind)
  await pool().query(
    `INSERT INTO oauth_artifacts (hash, model, authorization_id, family, payload, expires_at)
     SELECT $2, model, authorization_id, CASE WHEN family = hash THEN $2 ELSE family END, payload, expires_at
       FROM oauth_artifacts WHERE hash = $1`,
    [hashCredential(value), hashCredential(copy)],
  )
  return copy
}

/** The same request once the row of its credential is another. */
export const change = async (prepared: Prepared, sql: string): Promise<Prepared> => {
  await pool().query(`UPDATE oauth_artifacts SET ${sql} WHERE hash = $1`, [
    hashCredential(prepared.credential as string),
  ])
  return prepared
}
/** The same request once its credential says more. */
export const saying = (prepared: Prepared, payload: object) =>
  change(prepared, `payload = payload || '${JSON.stringify(payload)}'`)
