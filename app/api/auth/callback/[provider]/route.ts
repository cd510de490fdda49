import { only } from '@/lib/base/http/only'
import { finishExternalSignIn } from '@/lib/edges/web/sign-in/finish-external-sign-in'

type Context = { params: Promise<{ provider: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'GET',
  async (request: Request, { params }: Context) => finishExternalSignIn(request, (await params).provider),
)
