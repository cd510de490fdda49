/**
 * The body of a request, read no further than it may be long: one that states a greater length is not read at all.
 * @returns undefined when it is longer
 */
export async function readAtMost(request: Request, bytes: number): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bytes) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > bytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
