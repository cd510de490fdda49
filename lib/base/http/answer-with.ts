/**
 * An answer of JSON that nobody keeps.
 * @param headers beside those that say so
 */
export const answerWith = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
