import { CardHeading } from '@/components/ui/card'
import type { Say } from '@/lib/base/language/say'
import { Alert } from '../ui/alert'
import { Breakable } from '../ui/breakable'
import { Button, ButtonAnchor, TextAnchor } from '../ui/button'
import { Message } from '../ui/stack'

type Link = {
  token: string
  /** The email address to confirm. */
  email: string
  /** The account's current email address. */
  present: string
  /** The path of this page, to return to after sign-in. */
  path: string
}

/**
 * Shows the page of a valid confirmation link. If the account that requested the link is signed in, the page
 * has a button to confirm the email address. If another account is signed in, the page has a notice and a
 * button to switch accounts. If no account is signed in, the page has a sign-in link.
 */
export function ConfirmEmail({
  say,
  link,
  own,
  signedInAs,
  refused,
}: {
  say: Say
  link: Link
  /** Whether the signed-in account requested the link. */
  own: boolean
  /** The email address of the signed-in user; undefined if no user is signed in. */
  signedInAs: string | undefined
  /** The reason why the last attempt was rejected; undefined if no attempt was rejected. */
  refused?: string | undefined
}) {
  if (signedInAs && own) return <ConfirmButton say={say} {...link} refused={refused} />
  return (
    <>
      {signedInAs ? (
        <OtherAccount say={say} signedInAs={signedInAs} path={link.path} />
      ) : (
        <SignInFirst say={say} {...link} />
      )}
      {link.email === link.present && (
        <p className="mt-4 text-[13px] text-muted leading-[18px]">
          <Message
            of={say.parts('confirm.notYou', {
              link: (text) => <TextAnchor href="/forgot-password">{text}</TextAnchor>,
            })}
          />
        </p>
      )}
    </>
  )
}

const ConfirmButton = ({
  say,
  token,
  email,
  present,
  refused,
}: Link & { say: Say; refused: string | undefined }) => (
  <>
    <CardHeading title={say('confirm.title')}>
      <Breakable
        text={
          email === present ? say('confirm.isYours', { email }) : say('confirm.replaces', { email, present })
        }
      />
    </CardHeading>
    <form method="post" action="/verify-email/submit" className="grid gap-4">
      {refused && <Alert tone="danger" title={say.known(refused)} />}
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant="primary" size="large" wide>
        {say('confirm.submit')}
      </Button>
    </form>
  </>
)

const SignInFirst = ({ say, email, path }: Link & { say: Say }) => (
  <>
    <CardHeading title={say('confirm.signIn')}>
      <Breakable text={say('confirm.signInWhy', { email })} />
    </CardHeading>
    <ButtonAnchor href={`/login?${new URLSearchParams({ next: path })}`} variant="primary" size="large" wide>
      {say('login.submit')}
    </ButtonAnchor>
  </>
)

const OtherAccount = ({ say, signedInAs, path }: { say: Say; signedInAs: string; path: string }) => (
  <>
    <CardHeading title={say('confirm.other')}>
      <Breakable text={say('confirm.otherWhy', { email: signedInAs })} />
    </CardHeading>
    <form method="post" action="/logout">
      <input type="hidden" name="next" value={path} />
      <Button type="submit" variant="primary" size="large" wide>
        {say('choose.other')}
      </Button>
    </form>
  </>
)
