import type { Brand } from '@/components/frame/brand'
import { brandLinks } from '@/lib/brand/brand-links'
import { config } from '@/lib/config/env'

/** The operator's branding as the frames take it. Call it within a request: settings are not there at build time. */
export function readBrand(): Brand & { accentColor: string } {
  const { SERVICE_NAME, LOGO_URL, ACCENT_COLOR } = config()
  return {
    serviceName: SERVICE_NAME,
    logoUrl: LOGO_URL,
    accentColor: ACCENT_COLOR,
    links: brandLinks(config()),
  }
}
