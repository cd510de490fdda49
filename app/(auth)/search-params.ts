import { cookies } from 'next/headers'
import { readFlash } from '@/lib/edges/web/forms/form-flash'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'

export type AuthSearchParams = Promise<Record<string, string | string[] | undefined>>

/** Codes that arrive without a form: an identity provider's answer, by what it said or by our own check of it. */
const sentences: Record<string, string> = {
  account_exists:
    'An account with this address exists already. Sign in with its password, or set a new one by mail.',
  refused: 'This account cannot sign in. Ask whoever runs this service.',
  provider:
    'The other service could not be reached, or is not offered here. Try again, or use your password.',
  too_many: 'Too many sign-in attempts from your address. Wait a moment, then try again.',
  denied: 'The other service did not let you in. Try again, or use your password.',
}
const fallback = 'Signing in did not work. Try again, or use your password.'

/** Where to go afterwards, and what the last try was refused for. Of a repeated parameter the first counts. */
export async function readAuthParams(searchParams: AuthSearchParams) {
  const params = await searchParams
  const one = (name: string) => [params[name]].flat()[0]
  const error = one('error')
  return { next: one('next'), refused: error ? await readRefused(error) : undefined }
}

async function readRefused(error: string): Promise<RefusedForm> {
  const flash = readFlash(await cookies(), true)
  return flash ?? { message: sentences[error] ?? fallback, fields: {}, values: {} }
}

/** The other page of the pair, with `next` kept. */
export function withNext(path: string, next: string | undefined): string {
  return next ? `${path}?${new URLSearchParams({ next })}` : path
}
