import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'
import type { listIdentities } from '@/lib/features/identity/identities/list-identities'

type Identity = Awaited<ReturnType<typeof listIdentities>>[number]

/** The identity providers that are configured, and those that are no more but signed the person in, each with their accounts there. */
export function servicesOf(identities: Identity[]) {
  const usable = signInProviders().map(({ id, label }) => ({ id, name: label, usable: true }))
  const gone = [...new Set(identities.map(({ provider }) => provider))]
    .filter((id) => !usable.some((each) => each.id === id))
    .map((id) => ({ id, name: id, usable: false }))
  return [...usable, ...gone].map((service) => ({
    ...service,
    connected: identities.filter(({ provider }) => provider === service.id),
  }))
}
