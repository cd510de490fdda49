import { CardHeading } from '@/components/ui/card'
import type { Say } from '@/lib/base/language/say'
import { ownPicture } from '@/lib/features/pictures/rules'
import { MessageCard } from '../frame/message-card'
import { Avatar } from '../ui/avatar'
import { Breakable } from '../ui/breakable'
import { Button } from '../ui/button'
import { Unplug } from '../ui/icon'
import type { ConsentUser } from './types'

/**
 * Lets the user continue as the signed-in user or switch accounts. Apps request this choice with
 * `prompt=select_account`. If the app expects another user (`wrongAccount`), the user can only switch
 * accounts.
 */
export function AccountChoice({
  say,
  appName,
  user,
  wrongAccount,
  continueAction,
  next,
}: {
  say: Say
  appName: string
  user: ConsentUser
  wrongAccount: boolean
  /** The path to which "Continue as" posts. */
  continueAction: string
  /** The path to return to after signing in as another user. */
  next: string
}) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <CardHeading title={wrongAccount ? say('choose.wrong', { app: appName }) : say('choose.title')}>
        {say(wrongAccount ? 'choose.wrongWhy' : 'choose.why', { app: appName })}
      </CardHeading>
      <div className="flex items-center gap-3 rounded-control border bg-background px-3.5 py-2.5">
        <Avatar name={user.name} id={user.id} src={ownPicture(user.avatarUrl)} />
        <div className="min-w-0 flex-1 text-sm leading-5">
          <p className="font-medium">{user.name}</p>
          <p className="text-muted">
            <Breakable text={user.email} />
          </p>
        </div>
      </div>
      {!wrongAccount && (
        <form method="post" action={continueAction}>
          <Button
            type="submit"
            variant="primary"
            size="large"
            wide
            className="wrap-anywhere h-auto min-h-11 whitespace-normal py-2 leading-6"
          >
            {say('choose.continue', { name: user.name })}
          </Button>
        </form>
      )}
      <form method="post" action="/logout">
        <input type="hidden" name="next" value={next} />
        <Button type="submit" variant={wrongAccount ? 'primary' : 'quiet'} size="large" wide>
          {say('choose.other')}
        </Button>
      </form>
    </div>
  )
}

/**
 * Shows that an authorization request cannot continue, because it is finished or expired, or because the
 * browser did not send the request's cookie.
 */
export const LostInteraction = ({ say, appName }: { say: Say; appName: string | undefined }) => (
  <MessageCard icon={Unplug} tone="warning" title={say('lost.title')}>
    <p>{say('lost.why')}</p>
    <p>{appName ? say('lost.backTo', { app: appName }) : say('lost.back')}</p>
  </MessageCard>
)
