import { NavLink } from './nav-link'

/**
 * The pages about one thing, such as a project, as tabs under its header; they scroll sideways on phones. A tab is current
 * on the pages below it too, unless `exact`, or `except` those that have tabs of their own.
 */
export function SubNav({
  label,
  items,
}: {
  label: string
  items: { label: string; href: string; exact?: boolean; except?: readonly string[] }[]
}) {
  return (
    <nav
      aria-label={label}
      className="-mx-4 mb-6 scroll-px-4 overflow-x-auto border-b px-4 max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-1.5rem),transparent)] sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-1">
        {items.map(({ label: text, href, exact, except }) => (
          <li key={href} className="-mb-px">
            <NavLink
              href={href}
              exact={exact ?? false}
              except={except ?? []}
              className="block whitespace-nowrap border-transparent border-b-2 px-3 py-2 font-medium text-muted hover:text-text focus-visible:-outline-offset-2 aria-[current]:[scroll-initial-target:nearest] aria-[current]:border-link aria-[current]:text-text"
            >
              {text}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
