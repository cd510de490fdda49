import type { ReactNode } from 'react'
import { Alert } from './alert'
import { Badge } from './badge'
import { Time } from './time'
import { ValueField } from './value-field'

export type ShownClaim = {
  domain: string
  verifiedAt: Date | null
  checkedAt: Date | null
  problem: string | null
  failingSince: Date | null
}

/**
 * Shows the verification status of a domain, and the TXT record that verifies the domain.
 * @param ends a sentence with the date at which the verification ends; null if the verification is not
 * failing
 */
export function ClaimedDomain({
  named: { domain, verifiedAt, checkedAt, problem, failingSince },
  proof,
  ends,
}: {
  named: ShownClaim
  proof: { text: string; record: string }
  ends: ReactNode
}) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <b className="wrap-anywhere font-medium">{domain}</b>
        {verifiedAt ? <Badge tone="success">Verified</Badge> : <Badge>Not verified yet</Badge>}
        {checkedAt && (
          <span className="text-[13px] text-muted">
            Checked <Time at={checkedAt} />
          </span>
        )}
      </p>
      {problem && (
        <Alert tone="warning" title={failingSince ? 'Verification is failing' : 'Verification failed'}>
          {problem}
          {verifiedAt && ends && <> {ends}</>}
        </Alert>
      )}
      <p className="text-[13px] text-muted">
        {verifiedAt && !problem
          ? 'Keep this TXT record in your DNS:'
          : 'Add this TXT record to your DNS, and leave it in place:'}
      </p>
      <ValueField label="Record name" value={proof.record} />
      <ValueField label="Record value" value={proof.text} />
    </>
  )
}
