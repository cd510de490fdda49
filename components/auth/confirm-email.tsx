import { CardHeading } from '../frame/card-frame'
import { Alert } from '../ui/alert'
import { Button, ButtonAnchor } from '../ui/button'
import { TextAnchor } from '../ui/text-anchor'

type Link = {
  token: string
  /** The address to confirm. */
  email: string
  /** What the account's address is now. */
  present: string
  /** This page again, after signing in. */
  path: string
}

/**
 * A usable link that confirms an address, as the person sees it who opened it: the button where they are signed in to the
 * account that asked for it, otherwise the way there.
 */
export function ConfirmEmail({
  link,
  own,
  signedInAs,
  refused,
}: {
  link: Link
  /** Whether that account asked for the link. */
  own: boolean
  /** The address of whoever is signed in; undefined for nobody. */
  signedInAs: string | undefined
  /** What the last try was refused for. */
  refused?: string | undefined
}) {
  if (signedInAs && own) return <ConfirmButton {...link} refused={refused} />
  return (
    <>
      {signedInAs ? <OtherAccount signedInAs={signedInAs} path={link.path} /> : <SignInFirst {...link} />}
      {link.email === link.present && (
        <p className="mt-4 text-[13px] text-muted leading-[18px]">
          You never made an account here? Somebody used your address. Ignore the mail, or{' '}
          <TextAnchor href="/forgot-password">set a password of your own</TextAnchor>: that shuts them out and
          makes the account yours.
        </p>
      )}
    </>
  )
}

const ConfirmButton = ({ token, email, present, refused }: Link & { refused: string | undefined }) => (
  <>
    <CardHeading title="Confirm your email address">
      {email === present
        ? `Is ${email} your address?`
        : `${email} will be your address in place of ${present}.`}
    </CardHeading>
    <form method="post" action="/verify-email/submit" className="grid gap-4">
      {refused && <Alert tone="danger" title={refused} />}
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant="primary" size="large" wide>
        Confirm email address
      </Button>
    </form>
  </>
)

const SignInFirst = ({ email, path }: Link) => (
  <>
    <CardHeading title="Sign in to confirm">
      Sign in to the account that asked for this link. Then you can confirm {email}.
    </CardHeading>
    <ButtonAnchor href={`/login?${new URLSearchParams({ next: path })}`} variant="primary" size="large" wide>
      Sign in
    </ButtonAnchor>
  </>
)

const OtherAccount = ({ signedInAs, path }: { signedInAs: string; path: string }) => (
  <>
    <CardHeading title="This link is for another account">
      You are signed in as {signedInAs}. Sign in to the account that asked for the link.
    </CardHeading>
    <form method="post" action="/logout">
      <input type="hidden" name="next" value={path} />
      <Button type="submit" variant="primary" size="large" wide>
        Use another account
      </Button>
    </form>
  </>
)
