import { CircleCheck } from 'lucide-react'
import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, sayTo } from '@/app/door/door-page'
import { DeadLink, ResetPasswordForm } from '@/components/auth/password-reset'
import { DoorFrame } from '@/components/frame/door-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonAnchor } from '@/components/ui/button'
import { CardHeading } from '@/components/ui/card'
import { Worded } from '@/components/ui/stack'
import { TextAnchor } from '@/components/ui/text-anchor'
import type { Say } from '@/lib/base/language/say'
import { findEmailToken } from '@/lib/features/identity/email/email-tokens'

/** Where the mailed link leads. Opening it uses nothing up; `?state=` tells what came of the form. */
export const resetPassword: DoorPage = {
  referrer: 'same-origin',
  async show(visit) {
    const say = sayTo(visit)
    const token = one(visit, 'token') ?? ''
    const state = one(visit, 'state')
    const link = await findEmailToken('RESET_PASSWORD', token)
    const page = (
      <DoorFrame brand={readBrand()} say={say}>
        {state === 'done' || state === 'cleared' ? (
          <Done say={say} cleared={state === 'cleared'} />
        ) : link ? (
          <>
            <CardHeading title={say('reset.title')}>
              {say('reset.for', { email: link.user.email })}
            </CardHeading>
            <ResetPasswordForm
              say={say}
              token={token}
              email={link.user.email}
              refused={refusedForm(visit, say)}
            />
          </>
        ) : (
          <DeadLink
            say={say}
            action={<ButtonAnchor href="/forgot-password">{say('link.another')}</ButtonAnchor>}
          />
        )}
      </DoorFrame>
    )
    return { say, title: say('reset.title'), page }
  },
}

const Done = ({ say, cleared }: { say: Say; cleared: boolean }) => (
  <MessageCard
    icon={CircleCheck}
    tone="success"
    title={say('reset.done')}
    action={
      <ButtonAnchor href="/login" variant="primary">
        {say('login.submit')}
      </ButtonAnchor>
    }
  >
    <p>{say('reset.doneWhy')}</p>
    <p>
      {cleared ? (
        say('reset.cleared')
      ) : (
        <Worded
          of={say.parts('reset.stillOpen', {
            tokens: (text) => <TextAnchor href="/account/tokens">{text}</TextAnchor>,
            apps: (text) => <TextAnchor href="/account/apps">{text}</TextAnchor>,
          })}
        />
      )}
    </p>
  </MessageCard>
)
