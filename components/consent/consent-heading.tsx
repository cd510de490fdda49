import { CornerUpLeft, Laptop } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { AppPair } from '../frame/app-pair'
import type { Brand } from '../frame/brand'
import { Worded } from '../ui/worded'
import { AppLinks } from './app-links'
import { Publisher } from './publisher'
import type { ConsentApp } from './types'

/** Who asks, on whose behalf, and where it sends you: the first five seconds of the page. */
export function ConsentHeading({
  say,
  brand,
  app,
  returnHost,
  onThisComputer = false,
  signsIn = false,
}: {
  say: Say
  brand: Brand
  app: ConsentApp
  returnHost?: string | undefined
  /** The answer goes to a program on this computer, which may be any. */
  onThisComputer?: boolean | undefined
  /** The app wants to know who the person is, and nothing else. */
  signsIn?: boolean | undefined
}) {
  return (
    <div className="grid gap-4">
      <AppPair brand={brand} app={app} />
      <h1 className="text-balance font-semibold text-xl leading-7">
        {say(signsIn ? 'consent.titleSignIn' : 'consent.title', {
          app: app.name,
          service: brand.serviceName,
        })}
      </h1>
      {app.profile.description && (
        <p className="wrap-anywhere text-pretty text-[15px] leading-[22px]">
          <bdi>{app.profile.description}</bdi>
        </p>
      )}
      <div className="grid gap-2.5 text-[15px] text-muted leading-[22px]">
        <Publisher say={say} app={app} />
        {returnHost && (
          <p className="flex items-start gap-2.5">
            <CornerUpLeft aria-hidden className="mt-[3px] size-4 shrink-0 rtl:-scale-x-100" />
            <span className="min-w-0">
              <Worded
                of={say.parts('consent.returns', {
                  host: returnHost,
                  b: (text) => (
                    <b dir="ltr" className="wrap-anywhere font-medium text-text">
                      {text}
                    </b>
                  ),
                })}
              />
            </span>
          </p>
        )}
        {onThisComputer && !app.workspaceName && (
          <p className="flex items-start gap-2.5">
            <Laptop aria-hidden className="mt-[3px] size-4 shrink-0" />
            <span>{say('consent.thisComputer')}</span>
          </p>
        )}
        <AppLinks say={say} app={app} />
      </div>
    </div>
  )
}
