import {
  passkeyRequestOptions,
  secondStepOptions,
  signInWithPasskey,
  verifyPasskeyStep,
} from '@/lib/features/identity/passkeys/sign-in-with-passkey'
import { secondStepToken } from '@/lib/features/identity/two-factor/pending-sign-in'
import { verifyCode } from '@/lib/features/identity/two-factor/verify-code'
import { answerForm } from '../forms/answer-form'
import { answerJson } from '../forms/answer-json'
import { completeSignIn } from './complete-sign-in'

/** POST /login/passkey/options: what the browser needs to sign in by a passkey alone. */
export const answerPasskeyOptions = (request: Request) => answerJson(request, passkeyRequestOptions)

/** POST /login/passkey: fields `response` (the browser's answer as JSON), `next`. */
export const answerPasskeySignIn = (request: Request) =>
  answerForm(request, '/login', (form) =>
    completeSignIn(form, 'passkey', signInWithPasskey(form.visitor, form.input)),
  )

/** POST /login/verify/options: what the browser needs for the second step by a passkey. */
export const answerSecondStepOptions = (request: Request) =>
  answerJson(request, () => secondStepOptions(secondStepToken(request)))

/** POST /login/verify/passkey: fields `response`, `next`. */
export const answerSecondStepPasskey = (request: Request) =>
  answerForm(request, '/login/verify', (form) =>
    completeSignIn(form, 'second-step-passkey', verifyPasskeyStep(secondStepToken(request), form.input)),
  )

/** POST /login/verify/submit: fields `code`, `next`. */
export const answerSecondStepCode = (request: Request) =>
  answerForm(request, '/login/verify', (form) =>
    completeSignIn(form, 'second-step-code', verifyCode(form.visitor, secondStepToken(request), form.input)),
  )
