import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'
import type { listIdentities } from '@/lib/features/identity/identities/list-identities'

type Identity = Awaited<ReturnType<typeof listIdentities>>[number]

/** What an installation can be configured with. A company's provider is its workspace's, and nothing a person connects. */
const known = { github: 'GitHub', google: 'Google', oidc: 'Single sign-on' }

/** The identity providers that are configured, and those that are no more but signed the person in, each with their accounts there. */
export function servicesOf(identities: Identity[]) {
  const usable = signInProviders().map(({ id, label }) => ({ id, name: label, usable: true }))
  const gone = Object.entries(known)
    .filter(([id]) => !usable.some((each) => each.id === id))
    .filter(([id]) => identities.some(({ provider }) => provider === id))
    .map(([id, name]) => ({ id, name, usable: false }))
  return [...usable, ...gone].map((service) => ({
    ...service,
    connected: identities.filter(({ provider }) => provider === service.id),
  }))
}
