import type { Brand } from '@/components/frame/brand'
import { config } from '@/lib/base/config/env'
import { brandLinks } from '@/lib/features/pictures/login-button'

/** What a page is called in the browser's tab. */
export const titleOf = (page: string, serviceName: string): string => `${page} · ${serviceName}`

/** The operator's branding as the frames take it. Call it within a request: settings are not there at build time. */
export function readBrand(): Brand & { accentColor: string } {
  const { SERVICE_NAME, LOGO_URL, LOGO_DARK_URL, ACCENT_COLOR } = config()
  return {
    serviceName: SERVICE_NAME,
    logoUrl: LOGO_URL,
    logoDarkUrl: LOGO_DARK_URL,
    accentColor: ACCENT_COLOR,
    links: brandLinks(config()),
  }
}
