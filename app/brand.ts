import type { Brand } from '@/components/frame/brand'
import { config } from '@/lib/base/config/env'
import { brandLinks } from '@/lib/features/pictures/login-button'

/** What a page is called in the browser's tab. */
export const titleOf = (page: string, serviceName: string): string => `${page} · ${serviceName}`

/** The instance admin's branding as the frames take it. Call it within a request: settings are not there at build time. */
export function readBrand(): Brand & { accentColor: string } {
  const { serviceName, logoUrl, logoDarkUrl, accentColor } = config()
  return {
    serviceName,
    logoUrl,
    logoDarkUrl,
    accentColor,
    links: brandLinks(config()),
  }
}
