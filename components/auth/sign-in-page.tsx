import type { ComponentProps, ReactNode } from 'react'
import type { Brand } from '../frame/brand'
import { DoorFrame } from '../frame/door-frame'
import { BackToApp } from './back-to-app'
import { SignInForm } from './sign-in-form'
import { SignInHeading } from './sign-in-heading'

/** The app whose request waits for the sign-in. */
type Waiting = NonNullable<ComponentProps<typeof SignInHeading>['app']> & { cancelAction: string }

/** The page on which people sign in, for an app where one waits, in the look of the service. `beside` stands below the card. */
export function SignInPage({
  brand,
  app,
  heading,
  beside,
  ...form
}: ComponentProps<typeof SignInForm> & {
  brand: Brand
  app?: Waiting | undefined
  heading: string
  beside?: ReactNode
}) {
  const { say } = form
  return (
    <DoorFrame brand={brand} say={say} logo={!app} beside={beside}>
      <SignInHeading say={say} brand={brand} app={app} title={heading} />
      <SignInForm {...form} />
      {app && <BackToApp say={say} app={app} />}
    </DoorFrame>
  )
}
