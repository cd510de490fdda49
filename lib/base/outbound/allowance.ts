import { remember } from '@/lib/base/process/remember'

/**
 * What may be reached beyond the rule "port 443 of a public address, with a certificate the system trusts".
 * The product never sets one; tests do, to serve documents and receive webhooks on loopback.
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
