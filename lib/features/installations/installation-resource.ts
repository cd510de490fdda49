import { config } from '@/lib/base/config/env'

const before = () => `${config().BASE_URL}/installations/`

/** The resource indicator (RFC 8707) by which an app says for which of its installations it wants a token. See decision 191. */
export const installationResource = (id: string): string => `${before()}${id}`

/** The installation that a resource indicator, or the audience of a token, names; undefined for any other. */
export const installationNamed = (resource: unknown): string | undefined =>
  typeof resource === 'string' && resource.startsWith(before()) ? resource.slice(before().length) : undefined
