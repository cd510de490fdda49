import { answerAccountChoice } from '@/lib/oauth/interaction/answer-decision'

type Context = { params: Promise<{ uid: string }> }

export const POST = async (request: Request, { params }: Context) =>
  answerAccountChoice(request, (await params).uid)
