import { routeFor } from '@/lib/base/http/route-for'
import { answerCancel } from '@/lib/edges/oauth/interaction/answer-decision'

type Context = { params: Promise<{ uid: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'POST',
  async (request: Request, { params }: Context) => answerCancel(request, (await params).uid),
)
