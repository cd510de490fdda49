import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'
import type { listIdentities } from '@/lib/features/identity/identities'

type Identity = Awaited<ReturnType<typeof listIdentities>>[number]

/** What an installation can be configured with. */
const known = { github: 'GitHub', google: 'Google', oidc: 'Single sign-on' }

/**
 * The identity providers that are configured, and those that are no more but signed the person in, each with their accounts there.
 * @param companies whose providers know the person: nothing that they connect themselves, but they can end it
 */
export function servicesOf(identities: Identity[], companies: { id: string; name: string }[]) {
  const usable = signInProviders().map(({ id, label }) => ({ id, name: label, usable: true }))
  const gone = Object.entries(known)
    .filter(([id]) => !usable.some((each) => each.id === id))
    .filter(([id]) => identities.some(({ provider }) => provider === id))
    .map(([id, name]) => ({ id, name, usable: false }))
  const through = companies.map((company) => ({ ...company, usable: true }))
  return [...usable, ...gone, ...through].map((service) => ({
    ...service,
    connected: identities.filter(({ provider }) => provider === service.id),
  }))
}
