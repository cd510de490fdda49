import { only } from '@/lib/base/http/only'
import { answerDecision } from '@/lib/edges/oauth/interaction/answer-decision'

type Context = { params: Promise<{ uid: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'POST',
  async (request: Request, { params }: Context) => answerDecision(request, (await params).uid),
)
