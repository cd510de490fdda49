import dns from 'node:dns'

/** Matches reserved names (RFC 2606 and RFC 6761). Tests use them for outside services. */
const reservedNames = /(^|\.)(test|invalid|example(\.(com|net|org))?)\.?$/i

const { lookup } = dns

/**
 * Looks up a name like `dns.lookup`, but rejects reserved names without a DNS query. If these names were
 * queried, tests would depend on the test machine: on its name server's response, or on the delay if it has
 * no name server.
 */
const lookUp = (name: string, ...rest: unknown[]): unknown => {
  if (!reservedNames.test(name)) return Reflect.apply(lookup, dns, [name, ...rest])
  const refusal = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name }
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), refusal)
  process.nextTick(rest.at(-1) as (error: Error) => void, error)
  return {}
}

dns.lookup = Object.defineProperties(lookUp, Object.getOwnPropertyDescriptors(lookup)) as typeof lookup
