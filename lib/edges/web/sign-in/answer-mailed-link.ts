import { seeOther } from '@/lib/base/http/answers'
import { signInPath } from '@/lib/base/http/safe-next'
import { confirmEmail } from '@/lib/features/identity/email/confirm-email'
import { requestPasswordReset } from '@/lib/features/identity/people/request-password-reset'
import { resetPassword } from '@/lib/features/identity/people/reset-password'
import { sessionFromCookies } from '@/lib/features/identity/sessions/browser-session'
import { answerForm } from '../forms/answer-form'
import { clearedFlashCookie } from '../forms/form-flash'

/** POST /forgot-password/submit: field `email`. The answer is the same for every address. */
export const answerForgotPassword = (request: Request) =>
  answerForm(request, '/forgot-password', async ({ visitor, input }) => {
    await requestPasswordReset(visitor, input)
    return seeOther('/forgot-password?state=sent', [clearedFlashCookie('/forgot-password')])
  })

/** POST /reset-password/submit: fields `token`, `password`. */
export const answerResetPassword = (request: Request) =>
  answerForm(
    request,
    '/reset-password',
    async ({ visitor, input }) => {
      const { cleared } = await resetPassword(visitor, input)
      const state = cleared ? 'cleared' : 'done'
      return seeOther(`/reset-password?state=${state}`, [clearedFlashCookie('/reset-password')])
    },
    ['token'],
  )

/** POST /verify-email/submit: field `token`. Takes the session of the account that asked for the link. */
export const answerVerifyEmail = (request: Request) =>
  answerForm(
    request,
    '/verify-email',
    async ({ request, visitor, input: { token = '' } }) => {
      const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
      if (!session) return seeOther(signInPath(`/verify-email?${new URLSearchParams({ token })}`))
      await confirmEmail(session.actor, token)
      return seeOther('/verify-email?state=done', [clearedFlashCookie('/verify-email')])
    },
    ['token'],
  )
