import type { Say } from '@/lib/base/language/say'
import { ownPicture } from '@/lib/features/pictures/rules'
import type { ConsentPerson } from '../consent/types'
import { CardHeading } from '../frame/card-heading'
import { Avatar } from '../ui/avatar'
import { Button } from '../ui/button'

/**
 * "Continue as ..." for an app that wants the person to choose (`prompt=select_account`), or that expects somebody else:
 * then only changing the account goes on.
 */
export function AccountChoice({
  say,
  appName,
  person,
  wrongAccount,
  continueAction,
  next,
}: {
  say: Say
  appName: string
  person: ConsentPerson
  wrongAccount: boolean
  /** Where "Continue as" posts. */
  continueAction: string
  /** Where to come back to after signing in as somebody else. */
  next: string
}) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <CardHeading title={wrongAccount ? say('choose.wrong', { app: appName }) : say('choose.title')}>
        {say(wrongAccount ? 'choose.wrongWhy' : 'choose.why', { app: appName })}
      </CardHeading>
      <div className="flex items-center gap-3 rounded-control border bg-background px-3.5 py-2.5">
        <Avatar name={person.name} src={ownPicture(person.avatarUrl)} />
        <div className="min-w-0 flex-1 text-sm leading-5">
          <p className="font-medium">{person.name}</p>
          <p className="text-muted">{person.email}</p>
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
            {say('choose.continue', { name: person.name })}
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
