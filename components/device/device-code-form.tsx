import { CardHeading } from '@/components/ui/card'
import type { Say } from '@/lib/base/language/say'
import { MessageCard } from '../frame/message-card'
import { Alert } from '../ui/alert'
import { Button, TextAnchor } from '../ui/button'
import { Field } from '../ui/field'
import { CircleCheck, CircleSlash } from '../ui/icon'
import { Input } from '../ui/input'
import { HiddenFields, Message } from '../ui/stack'

/**
 * The form for the code that a device or command line shows. `code`, from the URL, prefills the field.
 * `error` is about the code, and `formError` is about everything else. Posts `user_code` and `fields`.
 */
export function DeviceCodeForm({
  say,
  action,
  code,
  error,
  formError,
  fields,
}: {
  say: Say
  action: string
  code?: string | undefined
  error?: string | undefined
  formError?: string | undefined
  fields?: Record<string, string>
}) {
  return (
    <>
      <CardHeading title={say('device.title')}>{say('device.lead')}</CardHeading>
      <form method="post" action={action} className="grid gap-4">
        <HiddenFields fields={fields} />
        {formError && <Alert tone="danger" title={formError} />}
        <Field label={say('device.code')} error={error} hint={say('device.caution')}>
          {(control) => (
            <Input
              {...control}
              name="user_code"
              required
              defaultValue={code}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={20}
              placeholder="XXXX-XXXX"
              autoFocus
              scale="large"
              dir="ltr"
              className="h-14 text-center font-mono text-xl uppercase tracking-[0.16em]"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="large" wide>
          {say('device.submit')}
        </Button>
      </form>
    </>
  )
}

/** Shows the outcome of the device flow in the browser. The user continues on the device. */
export function DeviceDone({
  say,
  appName,
  outcome,
}: {
  say: Say
  /** The app's name; undefined if it is no longer known. */
  appName: string | undefined
  outcome: 'authorized' | 'denied'
}) {
  // An app's name keeps its case, even at the start of a sentence. The text that replaces an unknown name is
  // lowercase and can start the message, so capitalize the first letter of the message.
  const tell = (key: 'device.deniedWhy' | 'device.connectedWhy') =>
    appName === undefined
      ? say(key, { app: say('device.theApp') }).replace(/^\p{Ll}/u, (first) => first.toUpperCase())
      : say(key, { app: appName })
  if (outcome === 'denied') {
    return (
      <MessageCard icon={CircleSlash} title={say('device.denied')}>
        <p>{tell('device.deniedWhy')}</p>
        <p>
          <TextAnchor href="/device">{say('device.again')}</TextAnchor>
        </p>
      </MessageCard>
    )
  }
  return (
    <MessageCard icon={CircleCheck} tone="success" title={say('device.connected')}>
      <p>{tell('device.connectedWhy')}</p>
      <p>
        <Message
          of={say.parts('device.later', {
            link: (text) => <TextAnchor href="/account/apps">{text}</TextAnchor>,
          })}
        />
      </p>
    </MessageCard>
  )
}
