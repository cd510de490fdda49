export type AuthSearchParams = Promise<Record<string, string | string[] | undefined>>

/** One value per name: of a repeated parameter the first counts. */
export async function readAuthParams(searchParams: AuthSearchParams) {
  const params = await searchParams
  const one = (name: string) => [params[name]].flat()[0]
  return { next: one('next'), error: one('error'), name: one('name'), email: one('email') }
}

/** The other page of the pair, with `next` kept. */
export function withNext(path: string, next: string | undefined): string {
  return next ? `${path}?${new URLSearchParams({ next })}` : path
}
