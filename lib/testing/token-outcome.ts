import { decodeJwt, decodeProtectedHeader } from 'jose'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'

type Fields = Record<string, string>

/** An answer of the token endpoint: what its tokens are and say, not which they are. */
export function described(body: Fields): object {
  const { id_token } = body
  return {
    ...body,
    ...(body.access_token ? { access_token: body.access_token.slice(0, 6) } : {}),
    ...(body.refresh_token ? { refresh_token: body.refresh_token.slice(0, 6) } : {}),
    ...(id_token ? { id_token: [decodeProtectedHeader(id_token), steady(decodeJwt(id_token))] } : {}),
  }
}

/** Times as how long something lives, names of sessions as whether there is one. */
function steady(payload: Record<string, unknown>): object {
  const { iat, exp, iiat, authTime, sid, sessionUid, codeChallenge, ...rest } = payload
  const present = Object.entries({ iiat, authTime, sid, sessionUid, codeChallenge })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  return {
    ...rest,
    clientId: undefined,
    accountId: undefined,
    aud: undefined,
    sub: undefined,
    present,
    lives: Math.round((Number(exp) - Number(iat)) / 600),
  }
}

/** The rows of the credential presented and of what was issued for it. */
export async function rowsOf(credential: string | undefined, body: Fields) {
  const named = { presented: credential, access: body.access_token, refresh: body.refresh_token }
  const described: Record<string, object | undefined> = {}
  for (const [name, value] of Object.entries(named)) {
    if (typeof value !== 'string') continue
    const { rows } = await pool().query(
      `SELECT a.model, a.payload, a.consumed_at IS NOT NULL AS consumed, a.replay IS NOT NULL AS sealed, a.uid, a.user_code,
              a.family = p.family AS kin, a.authorization_id = p.authorization_id AS "sameAuthorization",
              round(extract(epoch FROM a.expires_at - a.created_at) / 600) AS lives
         FROM oauth_artifacts a LEFT JOIN oauth_artifacts p ON p.hash = $2 WHERE a.hash = $1`,
      [hashCredential(value), hashCredential(credential ?? value)],
    )
    if (!rows[0]) continue
    const { lives, payload, ...rest } = rows[0]
    // What was presented is a copy, made whenever it was.
    const ages = name === 'presented' ? { lives: undefined } : {}
    described[name] = {
      ...rest,
      ...(name === 'presented' ? {} : { lives }),
      payload: { ...steady(payload), ...ages },
    }
  }
  return described
}
