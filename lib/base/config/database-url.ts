import { z } from 'zod'

/** How TLS to the database may be asked for: libpq's words, and the driver's own `no-verify`. `allow` is not among them. */
const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * The addresses that an address of several servers stands for, one each: libpq takes hosts with their ports separated by
 * commas. An address of one server is itself.
 */
export function eachServer(url: string): string[] {
  const [, before, servers, after] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  return servers === undefined ? [url] : servers.split(',').map((server) => `${before}${server}${after}`)
}

const parametersOf = (url: string): URLSearchParams => {
  const [first = ''] = eachServer(url)
  return URL.canParse(first) ? new URL(first).searchParams : new URLSearchParams()
}

const isPostgres = (url: string): boolean =>
  URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)

const hasKnownMode = (url: string): boolean => modes.includes(parametersOf(url).get('sslmode') ?? 'disable')

const unknownMode = `has an sslmode that is unknown here; it takes ${modes.join(', ')}`

/** What may be asked of the server at a connection; whichever is written, it is the one that takes writes. */
const primaries = ['any', 'read-write', 'primary']

/** An address of PostgreSQL, as providers write it; what it says of TLS is read by lib/base/db/primary.ts. */
export const databaseUrl = z
  .string()
  .refine((url) => eachServer(url).every(isPostgres), {
    error: 'must look like postgresql://user:password@host:5432/database',
    abort: true,
  })
  .refine((url) => primaries.includes(parametersOf(url).get('target_session_attrs') ?? 'any'), {
    error: `has target_session_attrs that lead to no primary; it takes ${primaries.join(', ')}`,
  })
  .refine(hasKnownMode, { error: unknownMode })

/** A certificate as a text, also where line breaks were written as \n to get it onto one line. */
export const certificate = z
  .string()
  .transform((value) => value.replaceAll('\\n', '\n'))
  .refine((value) => /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(value), {
    error: 'must be a certificate as a text, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----',
  })

/** The setting that a database's address lacks, in words; undefined when there is none. `verify-ca` means nothing without one. */
export const missingAuthority = (url: string, ca: string | undefined): string | undefined => {
  const parameters = parametersOf(url)
  return parameters.get('sslmode') === 'verify-ca' && !parameters.has('sslrootcert') && ca === undefined
    ? 'has sslmode=verify-ca, which needs the certificate of the authority in DATABASE_CA or sslrootcert; an authority that browsers know takes sslmode=verify-full'
    : undefined
}

/**
 * Whether a database's address encrypts and believes whoever answers. It is what `require` means to libpq; the driver, and
 * releases before the one that read it so, took it for `verify-full`.
 */
export const believesAnyCertificate = (url: string, ca: string | undefined): boolean => {
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
