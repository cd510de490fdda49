import type { ListedPlace } from '../lists/place-list'
import { Time } from '../ui/time'

type ListedProject = { id: string; name: string; description: string; createdAt: Date }

/** A project as a row of a list. @param home the workspace's own address */
export const placeOfProject =
  (home: string) =>
  ({ id, name, description, createdAt }: ListedProject): ListedPlace => ({
    id,
    name,
    href: `${home}/projects/${id}`,
    about: description,
    aside: (
      <span className="max-sm:hidden">
        Created <Time at={createdAt} />
      </span>
    ),
  })
