import dns from 'node:dns'

/** Matches the reserved names that tests use for outside services (RFC 2606 and RFC 6761), which never resolve. */
const reservedNames = /(^|\.)(test|invalid|example(\.(com|net|org))?)\.?$/i

const { lookup } = dns

/**
 * Rejects reserved names without a DNS query. Otherwise, tests would depend on the test machine: on its name server's
 * response, or on the delay if it has no name server.
 */
const lookUp = (name: string, ...rest: unknown[]): unknown => {
  if (!reservedNames.test(name)) return Reflect.apply(lookup, dns, [name, ...rest])
  const refusal = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name }
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), refusal)
  process.nextTick(rest.at(-1) as (error: Error) => void, error)
  return {}
}

dns.lookup = Object.defineProperties(lookUp, Object.getOwnPropertyDescriptors(lookup)) as typeof lookup
