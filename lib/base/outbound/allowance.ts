import { remember } from '@/lib/base/process/remember'

/**
 * What may be reached beyond the rule "port 443 of a public address, with a certificate the system trusts".
 * The product sets one for the operator's audit stream alone, of networks that the environment names; tests do, to serve
 * documents and receive webhooks on loopback.
 */
export type Allowance = {
  /** Networks reached although they are not public, in CIDR notation. */
  networks: readonly string[]
  ports: readonly number[]
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string
}

const none: Allowance = { networks: [], ports: [] }

const holder = () => remember('outbound-allowance', () => ({ current: none }))

/** What is allowed beyond the rule in this process: nothing, outside tests. */
export const currentAllowance = (): Allowance => holder().current

/**
 * The rule with networks of the operator's added, at any port of theirs, for calls to an address that the operator named.
 * @param networks in CIDR notation; with none it is the rule itself
 * @param port as in a URL
 */
export function alsoReaching(networks: readonly string[], port: string): Allowance {
  const current = currentAllowance()
  if (networks.length === 0) return current
  // One object for each, since its connections are kept by it.
  const known = remember('outbound-allowances', () => new WeakMap<Allowance, Map<string, Allowance>>())
  const made = known.get(current) ?? new Map<string, Allowance>()
  known.set(current, made)
  const key = [port, ...networks].join(' ')
  const found = made.get(key) ?? {
    ...current,
    networks: [...current.networks, ...networks],
    ports: [...current.ports, ...(port === '' ? [] : [Number(port)])],
  }
  made.set(key, found)
  return found
}

/**
 * Opens the guard for the tests of this process.
 * @returns closes it again
 * @throws Error unless NODE_ENV is `test`; there is no setting for it, so that no operator can open it by accident
 */
export function allowOutboundForTests(allowance: Allowance): () => void {
  if (process.env.NODE_ENV !== 'test') throw new Error('The outbound guard opens in tests only.')
  holder().current = allowance
  return () => {
    holder().current = none
  }
}
