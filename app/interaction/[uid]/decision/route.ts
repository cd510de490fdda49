import { routeFor } from '@/lib/base/http/route-for'
import { answerDecision } from '@/lib/edges/oauth/interaction/answer-decision'

type Context = { params: Promise<{ uid: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'POST',
  async (request: Request, { params }: Context) => answerDecision(request, (await params).uid),
)
