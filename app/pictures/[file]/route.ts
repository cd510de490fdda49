import { routeFor } from '@/lib/base/http/route-for'
import { answerPicture } from '@/lib/edges/web/images'

type Context = { params: Promise<{ file: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'GET',
  async (_request: Request, { params }: Context) => answerPicture((await params).file),
)
