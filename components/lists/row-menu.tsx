'use client'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '../ui/cn'
import { Check, type Icon } from '../ui/icon'

/** An entry of a row's menu: a link, or an action. */
export type MenuItem = {
  label: string
  icon?: Icon
  href?: string
  act?: () => void
  /** Whether the entry is the selected option of a group. Undefined if the entry is not an option. */
  checked?: boolean
  danger?: boolean
}

/**
 * A button that opens a menu for one row of a list. The menu is rendered only while it is open, so that a
 * long list stays small. Without JavaScript, the trigger is a link to a page.
 */
export function RowMenu({
  href,
  label,
  items,
  className,
  children,
}: {
  /**
   * The path of the page that the trigger opens without JavaScript. From this page, users can reach the
   * menu's actions.
   */
  href: string
  /** The accessible name of the trigger and its menu: "Actions for Ada". */
  label: string
  items: () => MenuItem[]
  className?: string
  /** The content of the trigger. */
  children: ReactNode
}) {
  const trigger = useRef<HTMLAnchorElement>(null)
  const [place, setPlace] = useState<DOMRect>()
  const close = (refocus: boolean) => {
    setPlace(undefined)
    if (refocus) trigger.current?.focus()
  }
  const open = () => setPlace(trigger.current?.getBoundingClientRect())
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: it is a link without JavaScript */}
      <a
        ref={trigger}
        href={href}
        role="button"
        aria-haspopup="menu"
        aria-expanded={place !== undefined}
        aria-label={label}
        onClick={(event) => {
          event.preventDefault()
          if (place) close(false)
          else open()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== ' ') return
          event.preventDefault()
          open()
        }}
        className={className}
      >
        {children}
      </a>
      {place && <Menu label={label} items={items()} trigger={place} onClose={close} anchor={trigger} />}
    </>
  )
}

/**
 * The distance between the menu and the trigger, and the minimum distance between the menu and the edges of
 * the window, in pixels.
 */
const gap = 6

function Menu({
  label,
  items,
  trigger,
  anchor,
  onClose,
}: {
  label: string
  items: MenuItem[]
  trigger: DOMRect
  anchor: { current: HTMLElement | null }
  onClose: (refocus: boolean) => void
}) {
  const router = useRouter()
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = menu.current
    if (!box) return
    const { width, height } = box.getBoundingClientRect()
    const below = trigger.bottom + gap + height <= window.innerHeight - gap
    box.style.top = `${below ? trigger.bottom + gap : Math.max(gap, trigger.top - gap - height)}px`
    // If the menu would extend past the right edge of the window, align it with the trigger's right edge.
    const fits = trigger.left + width <= window.innerWidth - gap
    box.style.left = `${Math.max(gap, fits ? trigger.left : trigger.right - width)}px`
    const first =
      box.querySelector<HTMLElement>('[aria-checked=true]') ?? box.querySelector<HTMLElement>('[role]')
    first?.focus()
  }, [trigger])
  useEffect(() => {
    const press = ({ target }: Event) => {
      if (menu.current?.contains(target as Node) || anchor.current?.contains(target as Node)) return
      onClose(false)
    }
    const leave = () => onClose(false)
    document.addEventListener('pointerdown', press)
    window.addEventListener('scroll', leave, { passive: true })
    window.addEventListener('resize', leave)
    return () => {
      document.removeEventListener('pointerdown', press)
      window.removeEventListener('scroll', leave)
      window.removeEventListener('resize', leave)
    }
  }, [anchor, onClose])
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault()
      return onClose(true)
    }
    const entries = [...(menu.current?.querySelectorAll<HTMLElement>('[role]') ?? [])]
    const at = entries.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    entries.at(to % entries.length)?.focus()
  }
  const take = ({ href, act }: MenuItem) => {
    onClose(true)
    if (href) router.push(href)
    else act?.()
  }
  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={move}
      className="animate-appear fixed top-0 left-0 z-50 w-60 max-w-[calc(100vw-12px)] rounded-card border border-border-strong bg-overlay p-1 text-left font-normal shadow-overlay"
    >
      {items.map((item) => {
        const { label: text, icon: Icon, checked, danger } = item
        const look = cn(
          'flex min-h-8 w-full items-center gap-2.5 rounded-control px-2 py-1 text-left text-[13px] hover:bg-hover focus-visible:bg-hover focus-visible:outline-none max-md:min-h-10 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted',
          danger && 'text-danger [&>svg]:text-danger',
        )
        return (
          <button
            key={text}
            type="button"
            {...(checked === undefined
              ? { role: 'menuitem' }
              : { role: 'menuitemradio', 'aria-checked': checked })}
            tabIndex={-1}
            onClick={() => take(item)}
            className={look}
          >
            {Icon && <Icon />}
            <span className="min-w-0 flex-1 truncate">{text}</span>
            {checked && <Check />}
          </button>
        )
      })}
    </div>
  )
}
