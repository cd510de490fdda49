import { readBrand } from '@/app/brand'
import { cookieHeader, type DoorPage, sessionOf } from '@/app/door/door-page'
import { CardFrame } from '@/components/frame/card-frame'
import { AccountChoice } from '@/components/interaction/account-choice'
import { LostInteraction } from '@/components/interaction/lost-interaction'
import { interactionPath, nextStep } from '@/lib/edges/oauth/interaction/next-step'
import { showConsent } from './show-consent'

/** Where an app's request waits for the person: to sign in, to choose an account, to consent. */
export const interaction: DoorPage = {
  title: 'Authorize',
  async show(visit) {
    const uid = visit.params.uid as string
    const step = await nextStep(uid, cookieHeader(visit), await sessionOf(visit))
    if (step.kind === 'redirect') return step
    const brand = readBrand()
    if (step.kind === 'lost') {
      return (
        <CardFrame brand={brand}>
          <LostInteraction />
        </CardFrame>
      )
    }
    if (step.kind === 'choose-account') {
      return (
        <CardFrame brand={brand}>
          <AccountChoice
            appName={step.open.client.clientName ?? step.open.client.clientId}
            person={step.session.person}
            wrongAccount={step.wrongAccount}
            continueAction={`${interactionPath(uid)}/continue`}
            next={interactionPath(uid)}
          />
        </CardFrame>
      )
    }
    return showConsent(step, visit.query, brand)
  },
}
