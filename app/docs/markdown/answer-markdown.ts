import { config } from '@/lib/base/config/env'
import { pageAt } from '../page-at'
import { markdownOf } from './markdown-of'

/**
 * Returns a docs page as Markdown, in which links to docs pages lead to the Markdown versions of these pages.
 * @returns undefined if there is no such page
 */
export function docsAsMarkdown(path: string): string | undefined {
  const found = pageAt(path)
  return found && markdownOf(found.page, linkTo)
}

function linkTo(path: string): string {
  const [page = '', section] = path.split('#')
  const suffix = pageAt(page) ? '.md' : ''
  return `${config().BASE_URL}${page}${suffix}${section ? `#${section}` : ''}`
}

/**
 * Returns the response to a GET request whose path ends in `.md` or that accepts `text/markdown`: a docs page
 * as Markdown, or status 404 if there is no such page.
 * @param path the page's path, without `.md`
 */
export function answerMarkdown(path: string): Response {
  const text = docsAsMarkdown(path)
  const headers = {
    'content-type': 'text/markdown; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    vary: 'accept',
  }
  if (text !== undefined) return new Response(text, { headers })
  return new Response(`The page was not found. All pages: ${config().BASE_URL}/llms.txt\n`, {
    status: 404,
    headers: { ...headers, 'cache-control': 'no-store' },
  })
}
