import { answerDecision } from '@/lib/oauth/interaction/answer-decision'
import { only } from '@/lib/web/only'

type Context = { params: Promise<{ uid: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'POST',
  async (request: Request, { params }: Context) => answerDecision(request, (await params).uid),
)
