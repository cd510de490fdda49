import { Alert } from '../ui/alert'

/** Says what a toast or an open dialog says, where neither can be: in a browser that runs no scripts. */
export function WithoutScript({ tone, message }: { tone: 'success' | 'danger'; message: string }) {
  return (
    <noscript>
      <Alert tone={tone} title={message} />
    </noscript>
  )
}
