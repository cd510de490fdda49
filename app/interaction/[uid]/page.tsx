import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { readBrand } from '@/app/brand'
import { CardFrame } from '@/components/frame/card-frame'
import { AccountChoice } from '@/components/interaction/account-choice'
import { LostInteraction } from '@/components/interaction/lost-interaction'
import { interactionPath, nextStep } from '@/lib/edges/oauth/interaction/next-step'
import { currentSession } from '@/lib/edges/web/session/current-session'
import { ConsentStep } from './consent-step'

export const metadata: Metadata = { title: 'Authorize' }

type Props = {
  params: Promise<{ uid: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Where an app's request waits for the person: to sign in, to choose an account, to consent. */
export default async function InteractionPage({ params, searchParams }: Props) {
  const { uid } = await params
  const step = await nextStep(uid, (await headers()).get('cookie'), await currentSession())
  if (step.kind === 'redirect') redirect(step.to)
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
  return <ConsentStep step={step} query={await searchParams} brand={brand} />
}
