import { only } from '@/lib/base/http/only'
import { answerAccountChoice } from '@/lib/edges/oauth/interaction/answer-decision'

type Context = { params: Promise<{ uid: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'POST',
  async (request: Request, { params }: Context) => answerAccountChoice(request, (await params).uid),
)
