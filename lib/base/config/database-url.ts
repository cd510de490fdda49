import { z } from 'zod'

/** The supported `sslmode` values: those of libpq except `allow`, and the driver's own `no-verify`. */
const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Returns one URL per server of a URL that names several servers: libpq accepts hosts with ports separated by
 * commas. The URL of one server is returned unchanged.
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

const unknownMode = `has an sslmode that is unknown here; it takes ${modes.join(', ')}`

/** The accepted values of `target_session_attrs`. All of them lead to the server that accepts writes. */
const primaries = ['any', 'read-write', 'primary']

/** A PostgreSQL URL as providers write it. lib/base/db/primary.ts interprets its TLS parameters. */
export const databaseUrl = z
  .string()
  .refine((url) => splitServers(url).every(isPostgres), {
    error: 'must look like postgresql://user:password@host:5432/database',
    abort: true,
  })
  .refine((url) => primaries.includes(parametersOf(url).get('target_session_attrs') ?? 'any'), {
    error: `has target_session_attrs that lead to no primary; it takes ${primaries.join(', ')}`,
  })
  .refine(hasKnownMode, { error: unknownMode })

/** A certificate as text. Accepts \n in place of line breaks, for a value on one line. */
export const certificate = z
  .string()
  .transform((value) => value.replaceAll('\\n', '\n'))
  .refine((value) => /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(value), {
    error: 'must be a certificate as text, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----',
  })

/** Returns the setting for the missing certificate of `verify-ca`; undefined if none is missing. */
export const missingAuthority = (url: string, ca: string | undefined): string | undefined => {
  const parameters = parametersOf(url)
  return parameters.get('sslmode') === 'verify-ca' && !parameters.has('sslrootcert') && ca === undefined
    ? 'has sslmode=verify-ca, which needs the certificate of the authority in DATABASE_CA or sslrootcert; for a public authority, use sslmode=verify-full'
    : undefined
}

/**
 * Whether a database URL encrypts the connection without verifying the server. This is the meaning of
 * `require` in libpq; the driver and earlier releases treated it like `verify-full`.
 */
export const acceptsAnyCertificate = (url: string, ca: string | undefined): boolean => {
  const parameters = parametersOf(url)
  const mode = parameters.get('sslmode') ?? ''
  if (mode === 'no-verify' || mode === 'prefer') return true
  return mode === 'require' && ca === undefined && !parameters.has('sslrootcert')
}

/**
 * Returns whether statements can be prepared under names: not if the address has `pgbouncer=true`, the parameter that providers
 * write for a pooler in transaction mode that does not track prepared statements.
 */
export const supportsPreparedStatements = (url: string): boolean =>
  parametersOf(url).get('pgbouncer') !== 'true'
