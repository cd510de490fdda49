import { routeFor } from '@/lib/base/http/route-for'
import { answerMarkdown } from '../answer-markdown'

type Asked = { params: Promise<{ page?: string[] }> }

/** The route to which next.config.mjs sends requests for docs pages as Markdown. */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor<Asked>(
  'GET',
  async (_request, { params }) => answerMarkdown(`/${((await params).page ?? []).join('/')}`),
)
