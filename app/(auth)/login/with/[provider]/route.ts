import { routeFor } from '@/lib/base/http/route-for'
import { startExternalSignIn } from '@/lib/edges/web/sign-in/external-sign-in'

type Context = { params: Promise<{ provider: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'POST',
  async (request: Request, { params }: Context) => startExternalSignIn(request, (await params).provider),
)
