import type { ProviderChoice } from '@/components/auth/providers'
import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'

/** The configured identity providers as the forms at the door show them. */
export const providerButtons = (): ProviderChoice[] =>
  signInProviders().map(({ id, label }) => ({ id, name: label, action: `/login/with/${id}` }))
