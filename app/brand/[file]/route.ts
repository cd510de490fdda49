import { readBrand } from '@/app/brand'
import { accentTokens } from '@/components/ui/accent'
import { answerBrandImage } from '@/lib/web/answer-brand-image'
import { only } from '@/lib/web/only'

type Context = { params: Promise<{ file: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'GET',
  async (_request: Request, { params }: Context) => {
    const { serviceName, logoUrl, accentColor } = readBrand()
    const { accent, 'accent-text': accentText } = accentTokens(accentColor).light
    return answerBrandImage((await params).file, { serviceName, logoUrl, accent, accentText })
  },
)
