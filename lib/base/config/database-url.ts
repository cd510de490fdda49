import { z } from 'zod'

/** The supported `sslmode` values: all libpq values except `allow`, and the driver's own `no-verify`. */
const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Splits a URL that lists several servers, as libpq allows, into one URL per server. For a URL with a single
 * server, or text that is not a URL, the result contains only the input.
 */
export function splitServers(url: string): string[] {
  const [, before, servers, after] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  return servers === undefined ? [url] : servers.split(',').map((server) => `${before}${server}${after}`)
}

const parametersOf = (url: string): URLSearchParams => {
  const [first = ''] = splitServers(url)
  return URL.canParse(first) ? new URL(first).searchParams : new URLSearchParams()
}

const isPostgres = (url: string): boolean =>
  URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)

const hasKnownMode = (url: string): boolean => modes.includes(parametersOf(url).get('sslmode') ?? 'disable')

const unknownMode = `has an unsupported sslmode; supported values are ${modes.join(', ')}`

/**
 * The accepted values of `target_session_attrs`. For all of these values, Latchkey connects to the server
 * that accepts writes.
 */
const primaries = ['any', 'read-write', 'primary']

/**
 * A PostgreSQL URL in the format that database providers use. The URL can list several servers.
 * lib/base/db/primary.ts interprets its TLS parameters.
 */
export const databaseUrl = z
  .string()
  .refine((url) => splitServers(url).every(isPostgres), {
    error: 'must look like postgresql://user:password@host:5432/database',
    abort: true,
  })
  .refine((url) => primaries.includes(parametersOf(url).get('target_session_attrs') ?? 'any'), {
    error: `has target_session_attrs that do not select the primary; supported values are ${primaries.join(', ')}`,
  })
  .refine(hasKnownMode, { error: unknownMode })

/** A certificate as text. Accepts \n instead of line breaks so that the value fits on one line. */
export const certificate = z
  .string()
  .transform((value) => value.replaceAll('\\n', '\n'))
  .refine((value) => /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(value), {
    error: 'must be a certificate as text, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----',
  })

/**
 * Returns an error message if `verify-ca` is set without a certificate authority, or undefined if nothing is
 * missing.
 */
export const missingAuthority = (url: string, ca: string | undefined): string | undefined => {
  const parameters = parametersOf(url)
  return parameters.get('sslmode') === 'verify-ca' && !parameters.has('sslrootcert') && ca === undefined
    ? 'has sslmode=verify-ca, which needs the certificate of the authority in DATABASE_CA or sslrootcert; for a public authority, use sslmode=verify-full'
    : undefined
}

/**
 * Returns whether connections accept any certificate: with `no-verify`, with `prefer`, and, as in libpq, with
 * `require` if no certificate authority is set.
 */
export const acceptsAnyCertificate = (url: string, ca: string | undefined): boolean => {
  const parameters = parametersOf(url)
  const mode = parameters.get('sslmode') ?? ''
  if (mode === 'no-verify' || mode === 'prefer') return true
  return mode === 'require' && ca === undefined && !parameters.has('sslrootcert')
}

/**
 * Returns whether named prepared statements can be used. Returns false if the URL contains `pgbouncer=true`,
 * which providers add for a pooler in transaction mode that does not track prepared statements.
 */
export const supportsPreparedStatements = (url: string): boolean =>
  parametersOf(url).get('pgbouncer') !== 'true'
