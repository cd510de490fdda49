import { answerPicture } from '@/lib/web/answer-picture'

type Context = { params: Promise<{ file: string }> }

export const GET = async (_request: Request, { params }: Context) => answerPicture((await params).file)
