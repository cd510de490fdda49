import { BadgeCheck, TriangleAlert } from 'lucide-react'
import type { ConsentApp } from './types'

/**
 * Who is behind an app, or that nobody vouches for it. Anybody can make a workspace and call it as they like, so it is said
 * where the operator has not verified the app: as a fact, not as an alarm.
 */
export function Publisher({ app }: { app: ConsentApp }) {
  if (!app.workspaceName) {
    return (
      <span className="inline-flex items-start gap-1.5 font-medium text-warning">
        <TriangleAlert aria-hidden className="mt-[3px] size-4 shrink-0" />
        {app.documentHost
          ? `Described by ${app.documentHost}, not verified`
          : 'Registered itself, not verified'}
      </span>
    )
  }
  return (
    <span className="inline-flex items-start gap-1.5">
      <span>
        by <span className="font-medium text-text">{app.workspaceName}</span>
      </span>
      {app.verified ? (
        <span className="inline-flex gap-1 text-success">
          <BadgeCheck aria-hidden className="mt-[3px] size-4" />
          Verified
        </span>
      ) : (
        <span>· Not verified</span>
      )}
    </span>
  )
}
