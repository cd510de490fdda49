'use client'
import { type RefObject, useEffect, useRef } from 'react'
import { Button } from '../ui/button'
import { DialogBox } from '../ui/dialog-box'

/** A step of the browser through its history, where the browser tells of one and lets it be held. */
type Step = Event & { navigationType: string; destination: { key: string } }
type Navigations = EventTarget & { traverseTo: (key: string) => void }

/**
 * Asks before a page is left on which something is not saved: by a link, by another form's search, or back through the
 * history where the browser lets that be held. What leaves the site is asked about by the browser itself.
 * @param mark an element within the form that is guarded
 */
export function LeaveGuard({
  mark,
  count,
  discard,
}: {
  mark: RefObject<HTMLElement | null>
  count: number
  discard: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const leave = useRef<() => void>(() => {})
  useEffect(() => {
    if (count === 0) return
    const ask = (event: Event, go: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      leave.current = go
      dialog.current?.showModal()
    }
    const click = (event: MouseEvent) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link && staysHere(link)) ask(event, () => link.click())
    }
    const submit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      if (form === mark.current?.closest('form') || form.method !== 'get') return
      ask(event, () => form.requestSubmit(event.submitter))
    }
    const navigation = (window as { navigation?: Navigations }).navigation
    const step = (event: Event) => {
      const { navigationType, destination } = event as Step
      if (navigationType !== 'traverse' || !event.cancelable) return
      ask(event, () => navigation?.traverseTo(destination.key))
    }
    document.addEventListener('click', click, true)
    document.addEventListener('submit', submit, true)
    navigation?.addEventListener('navigate', step)
    return () => {
      document.removeEventListener('click', click, true)
      document.removeEventListener('submit', submit, true)
      navigation?.removeEventListener('navigate', step)
    }
  }, [mark, count])
  return (
    <DialogBox dialog={dialog} title="Leave without saving?">
      <p className="text-muted text-sm">
        {count === 1 ? 'One change isn’t saved yet.' : `${count} changes aren’t saved yet.`}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          variant="danger-quiet"
          onClick={() => {
            dialog.current?.close()
            discard()
            setTimeout(() => leave.current(), 50)
          }}
        >
          Discard and leave
        </Button>
        <Button variant="primary" onClick={() => dialog.current?.close()}>
          Keep editing
        </Button>
      </div>
    </DialogBox>
  )
}

/** Whether a link leads to another page in this window. */
function staysHere(link: HTMLAnchorElement): boolean {
  if (!link.href || link.hasAttribute('download') || (link.target && link.target !== '_self')) return false
  const { origin, pathname, search, hash } = new URL(link.href)
  if (origin !== location.origin) return false
  return !(hash && pathname === location.pathname && search === location.search)
}
