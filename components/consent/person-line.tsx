import type { Say } from '@/lib/base/language/say'
import { ownPicture } from '@/lib/features/pictures/rules'
import { Avatar } from '../ui/avatar'
import { HiddenFields } from '../ui/hidden-fields'
import type { ConsentPerson } from './types'

/** The form of "Not you?", apart from the decision; it stands outside of the form that PersonLine may stand in. */
export const NotYouForm = ({
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

/** As whom the person decides, and the way out for someone else. */
export const PersonLine = ({ say, person }: { say: Say; person: ConsentPerson }) => (
  <div className="flex items-center gap-x-2.5 gap-y-1 rounded-control border bg-surface px-3 py-2.5 max-sm:flex-wrap">
    <Avatar name={person.name} src={ownPicture(person.avatarUrl)} />
    <div className="min-w-0 flex-1 text-sm leading-5 max-sm:basis-40">
      <p className="font-medium">{person.name}</p>
      <p className="text-[13px] text-muted">{person.email}</p>
    </div>
    <button
      type="submit"
      form="not-you"
      className="shrink-0 rounded-[3px] py-1 max-sm:ms-[42px] text-link text-sm underline decoration-link/40 underline-offset-3 hover:decoration-link"
    >
      {say('person.notYou')}
    </button>
  </div>
)
