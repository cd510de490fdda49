import { BadgeCheck, Globe, TriangleAlert, UserRound } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { Worded } from '../ui/worded'
import type { ConsentApp } from './types'

type Vouched = Pick<ConsentApp, 'workspaceName' | 'documentHost' | 'verified' | 'domain'>

const strong = (text: string) => <b className="wrap-anywhere font-medium text-text">{text}</b>

/**
 * Who is behind an app, or that nobody vouches for it. Anybody can make a workspace and call it as they like, so it is said
 * where the operator has not verified the app: as a fact, not as an alarm.
 */
export function Publisher({ say, app }: { say: Say; app: Vouched }) {
  if (!app.workspaceName) return <Unknown say={say} app={app} />
  const Mark = app.verified ? BadgeCheck : UserRound
  const made = say.parts(app.verified ? 'app.madeByVerified' : 'app.madeBy', {
    workspace: app.workspaceName,
    b: strong,
  })
  const proven = say.parts('app.domain', {
    domain: app.domain ?? '',
    b: (text) => (
      <b dir="ltr" className="wrap-anywhere font-medium text-text">
        {text}
      </b>
    ),
  })
  return (
    <>
      <p className="flex items-start gap-2.5">
        <Mark aria-hidden className={`mt-[3px] size-4 shrink-0 ${app.verified ? 'text-success' : ''}`} />
        <span className="min-w-0">
          <Worded of={made} />
        </span>
      </p>
      {app.domain && (
        <p className="flex items-start gap-2.5">
          <Globe aria-hidden className="mt-[3px] size-4 shrink-0" />
          <span className="min-w-0">
            <Worded of={proven} />
          </span>
        </p>
      )}
    </>
  )
}

const Unknown = ({ say, app }: { say: Say; app: Vouched }) => (
  <div className="flex items-start gap-2.5 rounded-control border border-warning/35 bg-warning-soft px-3 py-2.5 text-start text-sm text-text">
    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
    <div className="grid min-w-0 gap-0.5">
      <p className="font-medium">{say(app.documentHost ? 'app.document' : 'app.unknown')}</p>
      <p>{app.documentHost ? say('app.documentWhy', { host: app.documentHost }) : say('app.unknownWhy')}</p>
    </div>
  </div>
)
