import type { ComponentProps } from 'react'
import { CardHeading } from '@/components/ui/card'
import { type Say, sharedMessages } from '@/lib/base/language/say'
import { MethodList } from '../account/method-row'
import { Button } from '../ui/button'
import { ButtonLink } from '../ui/link'
import { Toaster } from '../ui/toast'
import { LanguageProvider } from '../ui/use-say'
import { PasskeysSection } from './passkeys-section'
import { TotpSection } from './totp-section'

type Totp = ComponentProps<typeof TotpSection>
type Passkeys = ComponentProps<typeof PasskeysSection>
type TotpActions = Omit<Totp['actions'], 'remove'>
type PasskeyActions = Omit<Passkeys['actions'], 'remove'>

/**
 * The page for users who must use two-factor authentication. They set up a method, or sign in again with an
 * existing method, and then continue. After the setup, the sections of the methods stay on the page, because
 * they show the recovery codes only once.
 */
export function FactorSetup({
  say,
  step,
  next,
  serviceName,
  asksPassword,
  passkeys,
  totp,
  actions,
}: {
  say: Say
  step: 'set-up' | 'sign-in-again' | 'done'
  next: string
  serviceName: string
  asksPassword: boolean
  passkeys: { possible: boolean; listed: Passkeys['passkeys'] }
  actions: TotpActions &
    PasskeyActions & { removeTotp: Totp['actions']['remove']; removePasskey: Passkeys['actions']['remove'] }
  totp: Pick<Totp, 'active' | 'waiting'>
}) {
  const shared = { asksPassword, serviceName }
  const words = {
    'set-up': [say('factor.title'), say('factor.lead', { service: serviceName })],
    'sign-in-again': [say('factor.title'), say('factor.again')],
    done: [say('factor.done'), say('factor.doneWhy', { service: serviceName })],
  }[step]
  return (
    <div className="p-5 sm:p-8">
      <CardHeading title={words[0]}>{words[1]}</CardHeading>
      {step !== 'sign-in-again' && (
        <LanguageProvider language={say.language} words={sharedMessages[say.language]}>
          <MethodList title={say('factor.ways')}>
            <PasskeysSection
              {...shared}
              passkeys={passkeys.listed}
              possible={passkeys.possible}
              actions={{ ...actions, remove: actions.removePasskey }}
            />
            <TotpSection {...shared} {...totp} actions={{ ...actions, remove: actions.removeTotp }} />
          </MethodList>
          <Toaster />
        </LanguageProvider>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        {step === 'done' && (
          <ButtonLink href={next} variant="primary">
            {say('confirm.continue')}
          </ButtonLink>
        )}
        <form method="post" action="/logout">
          <input type="hidden" name="next" value={next} />
          <Button type="submit" variant={step === 'sign-in-again' ? 'primary' : 'quiet'}>
            {step === 'sign-in-again' ? say('verify.again') : say('signOut.submit')}
          </Button>
        </form>
      </div>
    </div>
  )
}
