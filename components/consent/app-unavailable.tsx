import type { Say } from '@/lib/base/language/say'
import { destinationName, returnsToUserDevice } from '@/lib/edges/oauth/pages/confirm-redirect'
import type { UnavailableReason as Why } from '@/lib/policy/app-status'
import { AppPair, type Brand } from '../frame/brand'
import { Button } from '../ui/button'
import { HiddenFields, Message } from '../ui/stack'
import { SwitchAccountForm, UserLine } from './publisher'
import type { ConsentApp, ConsentUser } from './types'

const words = {
  approval: { title: 'approval.title', why: 'approval.why' },
  development: { title: 'development.title', why: 'development.why' },
} as const

/**
 * Replaces the consent form if the user cannot use the app: shows the reason, and a button that returns an
 * error to the app. Posts `decision` = `deny` with `fields`.
 */
export const AppUnavailable = ({
  say,
  brand,
  app,
  why,
  user,
  action,
  fields,
  here,
  redirectUri,
}: {
  say: Say
  brand: Brand
  app: ConsentApp
  why: Why
  user: ConsentUser
  action: string
  fields: Record<string, string>
  /** The path of this page, to return to after switching accounts. */
  here: string
  /** The redirect URI to which the button leads; undefined for a device, which has no redirect URI. */
  redirectUri?: unknown
}) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
    <SwitchAccountForm action="/logout" fields={{ next: here }} />
    <AppPair brand={brand} app={app} />
    <h1 className="text-balance font-semibold text-xl leading-7">
      {say(words[why].title, { app: app.name })}
    </h1>
    <p className="text-[15px] text-muted leading-[22px]">
      <Message
        of={say.parts(words[why].why, {
          service: brand.serviceName,
          workspace: app.workspaceName ?? '',
          b: (text) => <b className="wrap-anywhere font-medium text-text">{text}</b>,
        })}
      />
    </p>
    <UserLine say={say} user={user} />
    <Destination say={say} brand={brand} uri={redirectUri} />
    <form method="post" action={action}>
      <HiddenFields fields={fields} />
      <Button type="submit" name="decision" value="deny" size="large" wide>
        <span className="truncate">{say('login.back', { app: app.name })}</span>
      </Button>
    </form>
  </div>
)

/**
 * Shows where the button leads. The destination helps users recognize an app that pretends to be another app.
 * Renders nothing if there is no redirect URI.
 */
function Destination({ say, brand, uri }: { say: Say; brand: Brand; uri: unknown }) {
  const name = destinationName(uri)
  if (!name) return null
  return (
    <p className="wrap-anywhere text-muted text-sm">
      {returnsToUserDevice(uri)
        ? say('leave.thisComputer', { name })
        : say('leave.elsewhere', { name, service: brand.serviceName })}
    </p>
  )
}
