import { readBrand } from '@/app/brand'
import { cookieHeader, type DoorPage, sayTo, sessionOf, type Visit } from '@/app/door/door-page'
import { AccountChoice, LostInteraction } from '@/components/consent/account-choice'
import { DoorFrame } from '@/components/frame/door-frame'
import { interactionPath, nextStep } from '@/lib/edges/oauth/interaction/next-step'
import { peekInteraction } from '@/lib/edges/oauth/interaction/peek-interaction'
import { showConsent } from './show-consent'

/** Where an app's request waits for the person: to sign in, to choose an account, to consent. */
export const interaction: DoorPage = {
  async show(visit) {
    const uid = visit.params.uid as string
    const step = await nextStep(uid, cookieHeader(visit), await sessionOf(visit))
    if (step.kind === 'redirect') return step
    if (step.kind === 'lost') return showLost(visit, uid)
    const { client, interaction } = step.open
    const { ui_locales } = interaction.params
    const say = sayTo(visit, typeof ui_locales === 'string' ? ui_locales : undefined)
    if (step.kind === 'consent') return showConsent(step, visit.query, readBrand(), say)
    const appName = client.clientName ?? client.clientId
    return {
      say,
      title: step.wrongAccount ? say('choose.wrong', { app: appName }) : say('choose.title'),
      page: (
        <DoorFrame brand={readBrand()} say={say}>
          <AccountChoice
            say={say}
            appName={appName}
            person={step.session.person}
            wrongAccount={step.wrongAccount}
            continueAction={`${interactionPath(uid)}/continue`}
            next={interactionPath(uid)}
          />
        </DoorFrame>
      ),
    }
  },
}

/** The request may wait on in another browser: then its app is known, and named. */
async function showLost(visit: Visit, uid: string) {
  const app = await peekInteraction(interactionPath(uid))
  const say = sayTo(visit, app?.uiLocales)
  return {
    say,
    title: say('lost.title'),
    page: (
      <DoorFrame brand={readBrand()} say={say}>
        <LostInteraction say={say} appName={app?.name} />
      </DoorFrame>
    ),
  }
}
