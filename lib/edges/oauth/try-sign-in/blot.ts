/** Fields that hold a secret, in requests and answers of the OAuth endpoints. The user code is for the person to see. */
const secret = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'device_code',
  'client_secret',
  'token',
  'bearer',
])

/** What is left of a secret: enough to see of which kind it is. */
const shownLength = 6

/** Fields as they are shown: of a secret its beginning alone. */
export const blotted = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secret.has(name) ? `${String(value).slice(0, shownLength)}…` : value,
    ]),
  )
