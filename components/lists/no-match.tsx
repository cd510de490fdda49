import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/button-link'
import { EmptyState } from '../ui/empty-state'

/** What stands in a list of which a search or a filter leaves nothing, with the way back to all of it. */
export function NoMatch({
  path,
  noun,
  search = '',
  filtered = false,
  children = 'Check the spelling, or search for a part of the name.',
}: {
  /** The address of the whole list. */
  path: string
  /** What the list holds one of. */
  noun: string
  /** What was searched for. */
  search?: string
  /** A filter is set beside the search. */
  filtered?: boolean
  /** What to try instead. */
  children?: ReactNode
}) {
  return (
    <EmptyState
      icon={SearchX}
      title={
        search ? (
          <>
            No {noun} matches “<bdi>{search}</bdi>”
          </>
        ) : (
          `No ${noun} matches`
        )
      }
      action={<ButtonLink href={path}>{filtered ? 'Clear filters' : 'Clear search'}</ButtonLink>}
    >
      {children}
    </EmptyState>
  )
}
