import {
  forgotPasswordPage,
  resetPasswordPage,
  signUpPage,
  verifyEmailPage,
} from '@/app/(auth)/account-pages'
import { companySignInPage, connectPage, secondStepPage, signInPage } from '@/app/(auth)/sign-in-pages'
import { deviceConfirmPage, devicePage } from '@/app/device/device-pages'
import { interactionPage } from '@/app/interaction/consent-page'
import { docsNavigation } from '@/lib/features/docs/navigation'
import type { AuthPage } from './auth-page'

/** A page of the docs. Its text, the code colors and the reference load with the first request for one. See decision 206. */
const docsPage = (route: string): AuthPage => ({
  show: async (visit) => (await import('@/app/docs/draw-docs')).drawDocs(route, visit),
})

const docsRoutes = [
  ...docsNavigation.flatMap(({ pages }) => pages.map(({ href }) => href)),
  ...['/docs/search', '/docs/graphql/[type]', '/docs/reference/[noun]'],
]

/**
 * The pages that our own server renders without Next: the auth pages and the docs. The key is the route, as in the folder names
 * below app/, where a `page.tsx` passes the same definition to Next.
 */
export const pages: Record<string, AuthPage> = {
  '/login': signInPage,
  '/interaction/[uid]': interactionPage,
  '/login/company': companySignInPage,
  '/login/verify': secondStepPage,
  '/login/connect': connectPage,
  '/signup': signUpPage,
  '/device': devicePage,
  '/device/confirm': deviceConfirmPage,
  '/forgot-password': forgotPasswordPage,
  '/reset-password': resetPasswordPage,
  '/verify-email': verifyEmailPage,
  ...Object.fromEntries(docsRoutes.map((route) => [route, docsPage(route)])),
}
