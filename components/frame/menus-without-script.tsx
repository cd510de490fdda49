import Link from 'next/link'
import type { FramePerson } from './frame-types'

const item = 'block w-full rounded-control px-2 py-1.5 text-left text-muted hover:bg-hover hover:text-text'

/** What the account menu holds, for browsers in which no script opens it. */
export function AccountWithoutScript({ person }: { person: FramePerson }) {
  return (
    <noscript>
      <p className="truncate px-2 py-1.5 font-medium">{person.name}</p>
      <Link href="/account/profile" className={item}>
        Account settings
      </Link>
      {person.operator && (
        <Link href="/operator" className={item}>
          Instance admin
        </Link>
      )}
      <form action="/logout" method="post">
        <button type="submit" className={item}>
          Sign out
        </button>
      </form>
    </noscript>
  )
}
