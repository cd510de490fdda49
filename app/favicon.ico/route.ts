import { readBrand } from '@/app/brand'
import { accentTokens } from '@/components/ui/accent'
import { routeFor } from '@/lib/base/http/route-for'
import { answerFavicon } from '@/lib/edges/web/images'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () => {
  const { serviceName, logoUrl, accentColor } = readBrand()
  const { accent, 'accent-text': accentText } = accentTokens(accentColor).light
  return answerFavicon({ serviceName, logoUrl, accent, accentText })
})
