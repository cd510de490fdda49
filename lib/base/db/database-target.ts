import { parse } from 'pg-connection-string'
import { eachServer } from '@/lib/base/config/database-url'
import type { PrimaryClientConfig } from './primary-client'

type Target = Pick<PrimaryClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'places'>

/** The modes that ask who vouches for the server, if an authority is named. */
const verifying = ['require', 'verify-ca', 'verify-full']

/**
 * Where a database is and how it is spoken to: the one place that reads such an address. `sslmode` means what it means to
 * libpq, so that what a provider's page says can be pasted: `require` encrypts and believes any certificate, unless an
 * authority is named; `verify-ca` asks who signed it, `verify-full` also for whom. `prefer` is the one exception: it does not
 * fall back to a connection in the clear. See decision 130. Of several servers the first is meant, unless a `PrimaryClient`
 * (primary-client.ts) looks for the primary among all `places`.
 * @param address DATABASE_URL, DATABASE_DIRECT_URL or another that `databaseUrl` (lib/base/config/database-url.ts) takes
 * @param ca DATABASE_CA: the authority's certificate; it counts before a file that the address names
 * @returns the driver's settings for a connection
 * @throws the system's error when a file that the address names cannot be read
 */
export function databaseTarget(address: string, ca?: string): Target {
  const servers = eachServer(address)
  const target = targetOf(servers[0] as string, ca)
  if (servers.length === 1) return target
  return { ...target, places: servers.map(placeOf) }
}

const placeOf = (address: string) => {
  const { host, port } = parsed(address)
  return { host: host || 'localhost', port: Number(port || 5432) }
}

function targetOf(address: string, ca?: string): Target {
  const url = new URL(address)
  const { searchParams } = url
  const mode = modeOf(searchParams, ca)
  if (mode === undefined) return parsed(address)
  const verified = ca !== undefined && verifying.includes(mode)
  if (verified) searchParams.delete('sslrootcert')
  searchParams.set('sslmode', verified ? 'verify-full' : mode)
  // The driver's own word; of libpq's it makes `verify-full` unless it is told not to.
  if (mode !== 'no-verify') searchParams.set('uselibpqcompat', 'true')
  const target = parsed(url.href)
  if (!verified) return target
  const anyName = mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }
  return { ...target, ssl: { ...(target.ssl as object), ca, ...anyName } }
}

/** What an address says of TLS; undefined where it says nothing. */
function modeOf(parameters: URLSearchParams, ca: string | undefined): string | undefined {
  // The authorities that the system knows; here those that Node knows, which are asked where no file is named.
  if (parameters.get('sslrootcert') === 'system') {
    parameters.delete('sslrootcert')
    return 'verify-full'
  }
  return parameters.get('sslmode') ?? (ca === undefined ? undefined : 'verify-full')
}

/** As the driver itself takes an address apart; its types differ in what may be null. */
const parsed = (address: string) => parse(address) as unknown as Target
