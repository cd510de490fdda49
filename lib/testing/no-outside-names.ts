import dns from 'node:dns'

/** Names that lead nowhere and belong to nobody, by which tests call what is outside (RFC 2606 and RFC 6761). */
const nobodys = /(^|\.)(test|invalid|example(\.(com|net|org))?)\.?$/i

const { lookup } = dns

/**
 * No name server is asked for such a name, and it leads nowhere: what a name server says of it, and how long it takes where there is
 * none, would be a matter of the machine that the tests run on.
 */
const lookUp = (name: string, ...rest: unknown[]): unknown => {
  if (!nobodys.test(name)) return Reflect.apply(lookup, dns, [name, ...rest])
  const refusal = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name }
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), refusal)
  process.nextTick(rest.at(-1) as (error: Error) => void, error)
  return {}
}

dns.lookup = Object.defineProperties(lookUp, Object.getOwnPropertyDescriptors(lookup)) as typeof lookup
