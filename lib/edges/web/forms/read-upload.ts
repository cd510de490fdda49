import { badInput } from '@/lib/base/errors/app-error'
import { BodyTooLong, readBody } from '@/lib/base/http/body'
import { refuseSize } from '@/lib/features/pictures/draw-picture'
import { pictureLimits } from '@/lib/features/pictures/rules'

/** What a form adds around its file. */
const overhead = 16 * 1024

/**
 * The form of an upload, read no further than a picture may be large: what claims more is not read at all.
 * @throws AppError BAD_USER_INPUT at `picture`
 */
export async function readUpload(request: Request): Promise<FormData> {
  const body = await readBody(request, pictureLimits.bytes + overhead).catch((error) => {
    throw error instanceof BodyTooLong ? refuseSize(error.bytes) : brokenOff()
  })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  return new Response(body, { headers }).formData().catch(() => {
    throw brokenOff()
  })
}

const brokenOff = () => badInput('picture', 'The file did not arrive whole. Send it again.')

/** The bytes of the file in a form. @throws AppError BAD_USER_INPUT at `picture` when none was chosen */
export async function fileOf(form: FormData): Promise<Uint8Array> {
  const file = form.get('picture')
  if (!(file instanceof Blob)) throw badInput('picture', 'Choose a file first.')
  return new Uint8Array(await file.arrayBuffer())
}
