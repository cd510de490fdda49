import { Alert } from '../ui/alert'

/**
 * Shows a message only in browsers without JavaScript. Other browsers show the message in a toast or a
 * dialog.
 */
export function WithoutScript({ tone, message }: { tone: 'success' | 'danger'; message: string }) {
  return (
    <noscript>
      <Alert tone={tone} title={message} />
    </noscript>
  )
}

/**
 * Shows, at the top of a page without scripts, why a form was rejected. The message is hidden if the page
 * still contains the form and shows the error in it.
 */
export function RefusedMeanwhile({ reason }: { reason: string }) {
  return (
    <div className="mb-6 [&:has(~*_[aria-invalid]),&:has(~*_[role=alert]),&:has(~[role=alert])]:hidden">
      <WithoutScript tone="danger" message={reason} />
    </div>
  )
}
