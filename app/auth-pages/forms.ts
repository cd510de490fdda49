import { routeFor } from '@/lib/base/http/route-for'
import {
  answerAccountChoice,
  answerCancel,
  answerDecision,
} from '@/lib/edges/oauth/interaction/answer-decision'
import { answerDeviceCode, answerDeviceDecision } from '@/lib/edges/oauth/interaction/device-forms'
import {
  answerForgotPassword,
  answerPasskeyOptions,
  answerPasskeySignIn,
  answerResetPassword,
  answerSecondStepCode,
  answerSecondStepOptions,
  answerSecondStepPasskey,
  answerSignInForm,
  answerSignUpForm,
  answerVerifyEmail,
} from '@/lib/edges/web/sign-in/answer-sign-in-forms'
import { startConnecting, startSsoSignIn } from '@/lib/edges/web/sign-in/external-sign-in'

/** A handler that responds to a submitted form. @param params the values of the route's dynamic segments */
type AnswerForm = (request: Request, params: { uid?: string }) => Response | Promise<Response>

/** The handlers of the auth pages' forms by route. A route is written like the folder names below app/. */
export const forms = {
  '/login/submit': answerSignInForm,
  '/interaction/[uid]/decision': answerDecision,
  '/interaction/[uid]/continue': answerAccountChoice,
  '/interaction/[uid]/cancel': answerCancel,
  '/login/sso/submit': startSsoSignIn,
  '/login/verify/submit': answerSecondStepCode,
  '/login/verify/passkey': answerSecondStepPasskey,
  '/login/verify/options': answerSecondStepOptions,
  '/login/passkey': answerPasskeySignIn,
  '/login/passkey/options': answerPasskeyOptions,
  '/login/connect/submit': startConnecting,
  '/signup/submit': answerSignUpForm,
  '/device/code': answerDeviceCode,
  '/device/decision': answerDeviceDecision,
  '/forgot-password/submit': answerForgotPassword,
  '/reset-password/submit': answerResetPassword,
  '/verify-email/submit': answerVerifyEmail,
} satisfies Record<string, AnswerForm>

/**
 * Returns the handlers that a `route.ts` exports, for hosts where Next owns the process.
 * @param route the route of that file, such as `/login/submit`
 */
export function formRoute(route: keyof typeof forms) {
  const answer: AnswerForm = forms[route]
  return routeFor('POST', async (request: Request, { params }: { params: Promise<{ uid?: string }> }) =>
    answer(request, await params),
  )
}
