import { secureCookieName, setCookie } from '@/lib/base/http/cookies'
import { pendingSeconds } from '../two-factor/pending-sign-in'
import { cookieValue } from './session-cookie'

/** Carries a sign-in between its two steps. It is no session: nothing but the second step reads it. */
export const secondStepCookieName = (): string => secureCookieName('lk-second-step')

const path = '/login'

/** The Set-Cookie value that hands a pending sign-in to the browser. */
export const secondStepCookie = (token: string): string =>
  setCookie(secondStepCookieName(), token, path, pendingSeconds)

/** The Set-Cookie value that takes it back. */
export const clearedSecondStepCookie = (): string => setCookie(secondStepCookieName(), '', path, 0)

/** The pending sign-in that a request carries. */
export const secondStepToken = (request: Request): string | undefined =>
  cookieValue(request.headers.get('cookie') ?? undefined, secondStepCookieName())

/** The page of the second step, with the way onward kept. */
export const secondStepPath = (next: string): string =>
  next === '/' ? '/login/verify' : `/login/verify?${new URLSearchParams({ next })}`
