import { routeFor } from '@/lib/base/http/route-for'
import { answerMarkdown } from '../answer-markdown'

type Asked = { params: Promise<{ page?: string[] }> }

/** Where next.config.mjs sends a request for a page of the docs as Markdown. */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor<Asked>(
  'GET',
  async (_request, { params }) => answerMarkdown(`/${((await params).page ?? []).join('/')}`),
)
