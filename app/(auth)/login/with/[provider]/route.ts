import { only } from '@/lib/base/http/only'
import { startExternalSignIn } from '@/lib/edges/web/sign-in/start-external-sign-in'

type Context = { params: Promise<{ provider: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'POST',
  async (request: Request, { params }: Context) => startExternalSignIn(request, (await params).provider),
)
