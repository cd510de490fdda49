'use client'
import { Copy, Ellipsis, KeyRound } from '../ui/icon'
import { Link } from '../ui/link'
import { toast } from '../ui/toast'
import { RowMenu } from './row-menu'

/**
 * For each kind of entry, the paths of its pages relative to the entry's own path, and the name of its ID.
 * `shortcut` is a page to which the row also has a link of its own.
 */
const kinds = {
  project: {
    pages: { Overview: '', Members: '/members', Settings: '/settings' },
    id: 'project ID',
    shortcut: undefined,
  },
  app: {
    pages: {
      Overview: '/overview',
      Activity: '/activity',
      Users: '/people',
      Credentials: '/credentials',
      Settings: '',
    },
    id: 'client ID',
    shortcut: { label: 'Credentials', path: '/credentials', icon: KeyRound },
  },
} as const

/** The properties of an entry's menu. The paths of the entry's pages begin with `address`. */
export type PlaceMenuProps = { kind: keyof typeof kinds; address: string; id: string; name: string }

/**
 * A menu with links to the pages of an entry in a list, and an action that copies the entry's ID. Without
 * JavaScript, the menu is a link to the first page. If the kind of entry has a shortcut and the window is
 * wide enough, a link to that page precedes the menu.
 */
export function PlaceMenu({ kind, address, id, name }: PlaceMenuProps) {
  const { pages, id: noun, shortcut } = kinds[kind]
  const copy = () =>
    navigator.clipboard
      .writeText(id)
      .then(() => toast(`${noun.replace(/^./, (first) => first.toUpperCase())} copied`))
  return (
    <>
      {shortcut && (
        // The accessible name is only the page's name, so that it does not contain the name of the row's main
        // link. Screen readers use the title, which names the entry, as the link's description.
        <Link
          href={address + shortcut.path}
          aria-label={shortcut.label}
          title={`${shortcut.label} of ${name}`}
          className="row-actions max-sm:hidden"
        >
          <shortcut.icon />
        </Link>
      )}
      <RowMenu
        href={address + Object.values(pages)[0]}
        label={`Actions for ${name}`}
        items={() => [
          ...Object.entries(pages).map(([label, path]) => ({ label, href: address + path })),
          { label: `Copy ${noun}`, icon: Copy, act: copy },
        ]}
        className="row-actions"
      >
        <Ellipsis />
      </RowMenu>
    </>
  )
}
