import type { Brand } from '@/components/frame/brand'
import { config } from '@/lib/base/config/env'
import { brandLinks } from '@/lib/features/pictures/login-button'

/** Returns the title of a page in the browser tab. */
export const titleOf = (page: string, serviceName: string): string => `${page} · ${serviceName}`

/**
 * Returns the instance's branding. Call this function within a request, because the settings are unknown at
 * build time.
 */
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
