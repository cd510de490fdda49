import { only } from '@/lib/base/http/only'
import { answerPicture } from '@/lib/edges/web/pictures/answer-picture'

type Context = { params: Promise<{ file: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'GET',
  async (_request: Request, { params }: Context) => answerPicture((await params).file),
)
