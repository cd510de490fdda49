import { CircleCheck } from 'lucide-react'
import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm } from '@/app/door/door-page'
import { DeadLink } from '@/components/auth/dead-link'
import { ResetPasswordForm } from '@/components/auth/reset-password-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonAnchor } from '@/components/ui/button'
import { TextAnchor } from '@/components/ui/text-anchor'
import { findEmailToken } from '@/lib/features/identity/email-tokens/redeem-email-token'

/** Where the mailed link leads. Opening it uses nothing up; `?state=` tells what came of the form. */
export const resetPassword: DoorPage = {
  title: 'Set a new password',
  referrer: 'same-origin',
  async show(visit) {
    const token = one(visit, 'token') ?? ''
    const state = one(visit, 'state')
    const link = await findEmailToken('RESET_PASSWORD', token)
    const done = state === 'done' || state === 'cleared'
    return (
      <CardFrame brand={readBrand()}>
        {done ? (
          <MessageCard
            icon={CircleCheck}
            tone="success"
            title="Your password is set"
            action={
              <ButtonAnchor href="/login" variant="primary">
                Sign in
              </ButtonAnchor>
            }
          >
            <p>You were signed out everywhere. Sign in with the new password.</p>
            {state === 'done' && (
              <p>
                <TextAnchor href="/account/tokens">API tokens</TextAnchor> and{' '}
                <TextAnchor href="/account/apps">apps</TextAnchor> that you let in go on working. End those
                that you do not know.
              </p>
            )}
            {state === 'cleared' && (
              <p>
                Your address had never been confirmed, so somebody else may have set this account up. Tokens,
                authorized apps, SSH keys and second factors made before were removed; from your personal
                workspace also everybody else, with invitations, webhooks and the secrets and keys of its
                OAuth apps. Other workspaces were left as they are: leave those that you do not know.
              </p>
            )}
          </MessageCard>
        ) : link ? (
          <>
            <CardHeading title="Set a new password">For {link.user.email}.</CardHeading>
            <ResetPasswordForm token={token} email={link.user.email} refused={refusedForm(visit)} />
          </>
        ) : (
          <DeadLink action={<ButtonAnchor href="/forgot-password">Send another link</ButtonAnchor>} />
        )}
      </CardFrame>
    )
  },
}
