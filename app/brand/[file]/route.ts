import { readBrand } from '@/app/brand'
import { accentTokens } from '@/components/ui/accent'
import { only } from '@/lib/base/http/only'
import { answerBrandImage } from '@/lib/edges/web/pictures/answer-brand-image'

type Context = { params: Promise<{ file: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'GET',
  async (_request: Request, { params }: Context) => {
    const { serviceName, logoUrl, accentColor } = readBrand()
    const { accent, 'accent-text': accentText } = accentTokens(accentColor).light
    return answerBrandImage((await params).file, { serviceName, logoUrl, accent, accentText })
  },
)
