import { WithoutScript } from './without-script'

/**
 * At the top of a page, where no script runs: why the form that it answers was refused. It gives way where the form is
 * still there and says so itself.
 */
export function RefusedMeanwhile({ reason }: { reason: string }) {
  return (
    <div className="mb-6 [&:has(~*_[aria-invalid]),&:has(~*_[role=alert]),&:has(~[role=alert])]:hidden">
      <WithoutScript tone="danger" message={reason} />
    </div>
  )
}
