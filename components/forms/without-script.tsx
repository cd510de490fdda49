import { Alert } from '../ui/alert'

/** Says what a toast or an open dialog says, where neither can be: in a browser that runs no scripts. */
export function WithoutScript({ tone, message }: { tone: 'success' | 'danger'; message: string }) {
  return (
    <noscript>
      <Alert tone={tone} title={message} />
    </noscript>
  )
}

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
