import { AppError } from '@/lib/base/errors/app-error'
import { sessionFromCookies } from '@/lib/features/identity/sessions/browser-session'
import { answerJson } from '../forms/answer-json'
import { listPalette } from './list-palette'

/**
 * GET /palette: what the command palette offers the person signed in, for our own pages alone.
 * `search` is what was typed, `workspace` the slug of the workspace whose pages are open.
 * @returns 401 when nobody is signed in, 403 to other sites
 */
export const answerPalette = (request: Request): Promise<Response> =>
  answerJson(request, async (visitor) => {
    const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
    if (!session) throw new AppError('UNAUTHENTICATED')
    const { searchParams } = new URL(request.url)
    return listPalette(session, searchParams.get('search') ?? '', searchParams.get('workspace') ?? undefined)
  })
