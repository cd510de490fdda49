import { routeFor } from '@/lib/base/http/route-for'
import { finishExternalSignIn } from '@/lib/edges/web/sign-in/external-sign-in'

type Context = { params: Promise<{ provider: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'GET',
  async (request: Request, { params }: Context) => finishExternalSignIn(request, (await params).provider),
)
