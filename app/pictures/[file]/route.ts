import { answerPicture } from '@/lib/web/answer-picture'
import { only } from '@/lib/web/only'

type Context = { params: Promise<{ file: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'GET',
  async (_request: Request, { params }: Context) => answerPicture((await params).file),
)
