import { routeFor } from '@/lib/base/http/route-for'
import { answerActivityExport } from '@/lib/edges/web/exports'

type Context = { params: Promise<{ clientId: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'GET',
  async (request: Request, { params }: Context) => answerActivityExport(request, (await params).clientId),
)
