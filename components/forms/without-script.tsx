import { Alert } from '../ui/alert'

/** Shows the message of a toast or an open dialog in a browser without JavaScript. */
export function WithoutScript({ tone, message }: { tone: 'success' | 'danger'; message: string }) {
  return (
    <noscript>
      <Alert tone={tone} title={message} />
    </noscript>
  )
}

/**
 * Shows, at the top of a page without scripts, why its form was rejected. The message is hidden if the page still contains
 * the form, which then shows the error itself.
 */
export function RefusedMeanwhile({ reason }: { reason: string }) {
  return (
    <div className="mb-6 [&:has(~*_[aria-invalid]),&:has(~*_[role=alert]),&:has(~[role=alert])]:hidden">
      <WithoutScript tone="danger" message={reason} />
    </div>
  )
}
