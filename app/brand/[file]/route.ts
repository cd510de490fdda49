import { readBrand } from '@/app/brand'
import { accentTokens } from '@/components/ui/accent'
import { routeFor } from '@/lib/base/http/route-for'
import { answerBrandImage } from '@/lib/edges/web/images'

type Context = { params: Promise<{ file: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'GET',
  async (_request: Request, { params }: Context) => {
    const { serviceName, logoUrl, accentColor } = readBrand()
    const { accent, 'accent-text': accentText } = accentTokens(accentColor).light
    return answerBrandImage((await params).file, { serviceName, logoUrl, accent, accentText })
  },
)
