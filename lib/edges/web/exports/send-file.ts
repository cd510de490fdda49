import { AppError } from '@/lib/base/errors/app-error'
import { errorCodes } from '@/lib/base/errors/codes'
import { answerWith, refusalOf } from '@/lib/base/http/answers'
import { visitorFrom } from '@/lib/base/http/visitor'
import { sessionFromCookies } from '@/lib/features/identity/sessions/browser-session'
import type { SessionActor } from '@/lib/policy/actor'

/** A file that is written while it is read. */
type ReadFile = { fileName: string; mediaType: string; text: AsyncGenerator<string> }

/** Answers with a file, sent as fast as it is read and no faster. */
export async function sendFile(request: Request, { fileName, mediaType, text }: ReadFile): Promise<Response> {
  const headers = {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  }
  // Nothing is exported to whoever only looks.
  if (request.method === 'HEAD') return new Response(null, { headers })
  // What is refused or fails at the first step still has a status of its own.
  const first = await text.next()
  return new Response(flow(first, text), { headers })
}

/** What was refused as `{ error }` under its own status. */
export function refuseExport(thrown: unknown): Response {
  const error = refusalOf(thrown)
  const { field, retryAfter } = error.details
  const body = { error: error.message, code: error.code, ...(field === undefined ? {} : { field }) }
  return answerWith(errorCodes[error.code].http, body, {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
  })
}

/**
 * Who asks, by the session of a browser that is on a page of ours.
 * @throws AppError FORBIDDEN, UNAUTHENTICATED
 */
export async function whoLooks(request: Request): Promise<SessionActor> {
  // An export is recorded and counted, which no link on another site may cause.
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none')
    throw new AppError('FORBIDDEN', 'Exports start from the pages of this service.')
  const visitor = visitorFrom(request.headers)
  const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  if (!session) throw new AppError('UNAUTHENTICATED')
  return session.actor
}

/** Asks for the next piece when the last one was taken, and for none once the reader has gone. */
function flow(first: IteratorResult<string>, rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: IteratorResult<string> | undefined = first
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = next ?? (await rest.next())
        next = undefined
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await rest.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
