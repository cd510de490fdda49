import { addressOf } from '@/lib/edges/web/console/list-page'
import { PopMenu } from '../frame/pop-menu'
import { cn, segment, segments } from '../ui/cn'
import { Check, ChevronDown, Plus } from '../ui/icon'
import { Link } from '../ui/link'

type FilterProps = {
  path: string
  /** The URL parameter. */
  name: string
  choices: Readonly<Record<string, string>>
  /** The key of the selected choice; undefined if the list is not filtered. */
  value: string | undefined
  /** The URL parameters to keep. The links replace the parameter `name`. */
  kept: Record<string, string>
}

/**
 * Links that filter a list by one property, with a link for each choice and a link that removes the filter.
 * The filter works without JavaScript.
 */
export function ChoiceFilter({
  path,
  name,
  label = name,
  choices,
  value,
  kept,
  all = 'All',
  stays = false,
}: FilterProps & {
  /** The name of the property, for screen readers. */
  label?: string
  all?: string
  /** Whether a link keeps the scroll position. Set this if the list is further down on its page. */
  stays?: boolean
}) {
  const entries = [['', all], ...Object.entries(choices)] as [string, string][]
  return (
    <ul aria-label={`Filter by ${label}`} className={segments}>
      {entries.map(([key, text]) => (
        <li key={key}>
          <Link
            href={addressOf(path, { ...kept, [name]: key })}
            scroll={!stays}
            aria-current={key === (value ?? '') ? 'true' : undefined}
            className={segment}
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/**
 * A menu of links that filter a list by one property. The menu's button has a dashed border while no choice
 * is selected. The menu's `key` is the choice, so that a new choice closes the menu.
 * @param className hides the filter on screens where the list has another control for the same property
 */
export function FilterChip({
  path,
  name,
  label,
  choices,
  value,
  kept,
  all = 'Any',
  className,
}: FilterProps & { label: string; all?: string | null; className?: string }) {
  const set = value !== undefined
  const entries = [...(all === null ? [] : [['', all]]), ...Object.entries(choices)] as [string, string][]
  return (
    <div className={className}>
      <PopMenu
        key={value ?? ''}
        summaryClass={cn(
          'flex h-8 cursor-pointer select-none items-center gap-1.5 whitespace-nowrap rounded-control border px-2.5 font-medium text-[13px] max-md:h-10 [&>svg]:size-3.5',
          set
            ? 'border-accent-line bg-accent-soft text-link'
            : 'border-control border-dashed text-muted hover:text-text',
        )}
        popClass="top-[calc(100%+6px)] left-0 w-48"
        summary={
          set ? (
            <>
              {label}: {choices[value]} <ChevronDown />
            </>
          ) : (
            <>
              <Plus /> {label}
            </>
          )
        }
      >
        <ul aria-label={label}>
          {entries.map(([key, text]) => (
            <li key={key}>
              <Link
                href={addressOf(path, { ...kept, [name]: key })}
                scroll={false}
                aria-current={key === (value ?? '') ? 'true' : undefined}
                className="menu-item"
              >
                <span className="flex-1">{text}</span>
                {key === (value ?? '') && <Check />}
              </Link>
            </li>
          ))}
        </ul>
      </PopMenu>
    </div>
  )
}
