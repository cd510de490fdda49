import { ownPicture } from '@/lib/features/pictures/own-picture'
import { Avatar } from '../ui/avatar'
import { HiddenFields } from '../ui/hidden-fields'
import type { ConsentPerson } from './types'

/** As whom the person decides, and the way out for someone else: a form of its own, apart from the decision. */
export function PersonLine({
  person,
  action,
  fields,
}: {
  person: ConsentPerson
  action: string
  fields?: Record<string, string> | undefined
}) {
  return (
    <form
      method="post"
      action={action}
      className="flex items-center gap-3 rounded-control border bg-background px-3.5 py-2.5"
    >
      <HiddenFields fields={fields} />
      <Avatar name={person.name} src={ownPicture(person.avatarUrl)} />
      <div className="min-w-0 flex-1 text-sm leading-5">
        <p className="font-medium">{person.name}</p>
        <p className="text-muted">{person.email}</p>
      </div>
      <button
        type="submit"
        className="shrink-0 rounded-[3px] py-1 text-link text-sm underline decoration-link/40 underline-offset-3 hover:decoration-link"
      >
        Not you?
      </button>
    </form>
  )
}
