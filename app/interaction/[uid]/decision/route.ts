import { answerDecision } from '@/lib/oauth/interaction/answer-decision'

type Context = { params: Promise<{ uid: string }> }

export const POST = async (request: Request, { params }: Context) =>
  answerDecision(request, (await params).uid)
