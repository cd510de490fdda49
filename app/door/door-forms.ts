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
import {
  startCompanySignIn,
  startConnecting,
  startExternalSignIn,
} from '@/lib/edges/web/sign-in/external-sign-in'
import { byAddress } from './by-address'

/** Takes what a page at the door posts. @param params what stands in the place of each folder in brackets */
type DoorForm = (request: Request, params: Record<string, string>) => Response | Promise<Response>

const ofInteraction =
  (answer: (request: Request, uid: string) => Promise<Response>): DoorForm =>
  (request, params) =>
    answer(request, params.uid as string)

/** What the pages at the door post, by their addresses; the routes below app/ repeat them for `next start`. */
export const doorForms: Record<string, DoorForm> = {
  '/login/submit': answerSignInForm,
  '/interaction/[uid]/decision': ofInteraction(answerDecision),
  '/interaction/[uid]/continue': ofInteraction(answerAccountChoice),
  '/interaction/[uid]/cancel': ofInteraction(answerCancel),
  '/login/company/submit': startCompanySignIn,
  '/login/verify/submit': answerSecondStepCode,
  '/login/verify/passkey': answerSecondStepPasskey,
  '/login/verify/options': answerSecondStepOptions,
  '/login/passkey': answerPasskeySignIn,
  '/login/passkey/options': answerPasskeyOptions,
  '/login/with/[provider]': (request, params) => startExternalSignIn(request, params.provider as string),
  '/login/connect/submit': startConnecting,
  '/signup/submit': answerSignUpForm,
  '/device/code': answerDeviceCode,
  '/device/decision': answerDeviceDecision,
  '/forgot-password/submit': answerForgotPassword,
  '/reset-password/submit': answerResetPassword,
  '/verify-email/submit': answerVerifyEmail,
}

/** What takes a form sent to an address, which is a path without its query. */
export const findDoorForm = byAddress(doorForms)
