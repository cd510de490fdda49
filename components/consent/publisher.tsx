import type { Say } from '@/lib/base/language/say'
import { supportHref } from '@/lib/features/apps/app-profile'
import { ownPicture } from '@/lib/features/pictures/rules'
import { Avatar } from '../ui/avatar'
import { BadgeCheck, Globe, Link2, TriangleAlert, UserRound } from '../ui/icon'
import { HiddenFields, Message } from '../ui/stack'
import type { ConsentApp, ConsentUser } from './types'

type Vouched = Pick<ConsentApp, 'workspaceName' | 'documentHost' | 'verified' | 'domain'>

const strong = (text: string) => <b className="wrap-anywhere font-medium text-text">{text}</b>

/**
 * Shows the publisher of an app, whether an instance admin verified the app, and the app's verified domain.
 * Anyone can create a workspace under any name, so a publisher's name alone proves nothing. For a
 * self-registered app, shows a warning instead.
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
        <Mark className={`mt-[3px] size-4 shrink-0 ${app.verified ? 'text-success' : ''}`} />
        <span className="min-w-0">
          <Message of={made} />
        </span>
      </p>
      {app.domain && (
        <p className="flex items-start gap-2.5">
          <Globe className="mt-[3px] size-4 shrink-0" />
          <span className="min-w-0">
            <Message of={proven} />
          </span>
        </p>
      )}
    </>
  )
}

const Unknown = ({ say, app }: { say: Say; app: Vouched }) => (
  <div className="flex items-start gap-2.5 rounded-control border border-warning/35 bg-warning-soft px-3 py-2.5 text-start text-sm text-text">
    <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" />
    <div className="grid min-w-0 gap-0.5">
      <p className="font-medium">{say(app.documentHost ? 'app.document' : 'app.unknown')}</p>
      <p>{app.documentHost ? say('app.documentWhy', { host: app.documentHost }) : say('app.unknownWhy')}</p>
    </div>
  </div>
)

/**
 * Links to the app's website, support, privacy policy, and terms, if the app has them. The links open a new
 * tab, so that the page keeps the selection.
 */
export function AppLinks({ say, app }: { say: Say; app: ConsentApp }) {
  const { website, support, privacyUrl, termsUrl } = app.profile
  const links = [
    { label: say('app.website'), href: website },
    { label: say('app.support'), href: support && supportHref(support) },
    { label: say('app.privacy'), href: privacyUrl },
    { label: say('app.terms'), href: termsUrl },
  ].flatMap(({ label, href }) => (href ? [{ label, href }] : []))
  if (links.length === 0) return null
  return (
    <p className="flex items-start gap-2.5">
      <Link2 className="mt-[3px] size-4 shrink-0" />
      <span className="flex flex-wrap gap-x-3">
        {links.map(({ label, href }) => (
          <a
            key={label}
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            className="text-text underline decoration-control underline-offset-3 hover:decoration-current"
          >
            {label}
          </a>
        ))}
      </span>
    </p>
  )
}

/**
 * The form that the "Not you?" button of UserLine submits. It is a separate element, because UserLine can be
 * inside another form, and forms cannot be nested.
 */
export const SwitchAccountForm = ({
  action,
  fields,
}: {
  action: string
  fields?: Record<string, string> | undefined
}) => (
  <form id="not-you" method="post" action={action} hidden>
    <HiddenFields fields={fields} />
  </form>
)

/**
 * Shows the signed-in user, and the "Not you?" button to switch to another user. The page must contain
 * SwitchAccountForm.
 */
export const UserLine = ({ say, user }: { say: Say; user: ConsentUser }) => (
  <div className="flex items-center gap-x-2.5 gap-y-1 rounded-control border bg-surface px-3 py-2.5 flex-wrap">
    <Avatar name={user.name} id={user.id} src={ownPicture(user.avatarUrl)} />
    <div className="min-w-0 flex-1 basis-40 text-sm leading-5">
      <p className="font-medium">{user.name}</p>
      <p className="text-[13px] text-muted">
        <bdi>
          {/* If the address does not fit on one line, break it before its domain. */}
          {user.email.slice(0, user.email.lastIndexOf('@'))}
          <wbr />
          {user.email.slice(user.email.lastIndexOf('@'))}
        </bdi>
      </p>
    </div>
    <button
      type="submit"
      form="not-you"
      className="ms-[42px] shrink-0 rounded-[3px] py-1 text-link text-sm underline decoration-link/40 underline-offset-3 hover:decoration-link"
    >
      {say('user.notYou')}
    </button>
  </div>
)
