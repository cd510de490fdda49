import { config } from '@/lib/base/config/env'

/** The identity providers that are configured, in the order of the buttons at the door: `github`, `google`, `oidc`. */
export function usableProviders(): ('github' | 'google' | 'oidc')[] {
  const settings = config()
  const configured = {
    github: settings.GITHUB_CLIENT_ID && settings.GITHUB_CLIENT_SECRET,
    google: settings.GOOGLE_CLIENT_ID && settings.GOOGLE_CLIENT_SECRET,
    oidc: settings.OIDC_ISSUER && settings.OIDC_CLIENT_ID,
  }
  return (['github', 'google', 'oidc'] as const).filter((id) => configured[id])
}
