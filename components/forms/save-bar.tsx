'use client'

import { type RefObject, useEffect, useRef } from 'react'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { DialogBox } from '../ui/confirm-dialog'
import { CircleAlert } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { RetryStep } from './form-outcome'
import { useUnsaved } from './use-unsaved'

/**
 * The footer of an edit form. After a change, the footer becomes a sticky bar with the number of unsaved
 * changes and a button to discard the changes. The bar also shows a failed request. Before the user leaves
 * the page with unsaved changes, a dialog asks for confirmation. The SaveBar must be the last element in the
 * `<form>`. Without JavaScript, the footer contains only the button that saves.
 * @param state the result of the form
 * @param covers what the button saves, as a sentence. If it is set, the bar is the footer of the form's box
 * (see `Boxes`), which is always visible with the box
 */
export function SaveBar({
  state,
  label = 'Save changes',
  covers,
}: {
  state: FormState<unknown>
  label?: string
  covers?: string
}) {
  const mark = useRef<HTMLDivElement>(null)
  const { count, discard, pending } = useUnsaved(mark, state)
  const failed = state.failure !== undefined && !pending
  const unsaved = count > 0
  const raised = unsaved || failed
  // Discarding the changes removes the Discard button, which has the focus. Move the focus to the button that
  // saves.
  const discardAndStay = () => {
    discard()
    mark.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  return (
    <div
      ref={mark}
      className={
        covers ? 'box-footer' : cn('mt-5 flex max-w-[760px] justify-end', raised && 'sticky bottom-4 z-10')
      }
    >
      <div
        className={
          covers
            ? 'contents'
            : cn(
                'flex flex-wrap items-center gap-2 rounded-panel border border-transparent',
                raised &&
                  'animate-appear border-border-strong bg-overlay p-2 pl-4 shadow-overlay max-sm:w-full',
              )
        }
      >
        {covers && !raised && <p className="min-w-0 flex-1 text-pretty">{covers}</p>}
        <p
          role="status"
          className={cn(
            raised && 'mr-3 flex min-w-0 flex-1 items-center gap-2 text-sm text-text max-sm:basis-full',
          )}
        >
          {unsaved && !failed && (
            <>
              <span aria-hidden className="size-2 shrink-0 rounded-full bg-warning" />
              {count === 1 ? '1 unsaved change' : `${count} unsaved changes`}
            </>
          )}
          {failed && (
            <>
              <CircleAlert className="size-4 shrink-0 text-danger" />
              <span data-failure className="text-pretty">
                {state.message}
              </span>
            </>
          )}
        </p>
        {failed && <RetryStep state={state} mark={mark} />}
        {unsaved && (
          <Button variant="quiet" className="max-sm:flex-1" onClick={discardAndStay}>
            Discard
          </Button>
        )}
        <SubmitButton className={cn(unsaved && 'max-sm:flex-1')}>
          {label}
          {unsaved && (
            <kbd aria-hidden className="font-sans text-xs max-sm:hidden">
              Ctrl S
            </kbd>
          )}
        </SubmitButton>
      </div>
      <LeaveGuard mark={mark} count={count} discard={discard} />
    </div>
  )
}

/**
 * The event of a navigation, such as a step back in the browser history. Some browsers do not fire this
 * event, or do not let the page cancel the navigation.
 */
type Step = Event & { navigationType: string; destination: { key: string } }
type Navigations = EventTarget & { traverseTo: (key: string) => void }

/**
 * Shows a dialog that asks for confirmation before the user leaves a page with unsaved changes through a
 * link, a search form, or, if the browser supports it, the browser history. The browser itself asks for
 * confirmation before the user leaves the site.
 * @param mark an element within the guarded form
 */
function LeaveGuard({
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
      // React gives a form with a function as its action a script URL. Such a form does not leave the page.
      if (!/^https?:/.test(form.action)) return
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
      <p className="text-muted text-sm">{count === 1 ? '1 unsaved change.' : `${count} unsaved changes.`}</p>
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

/**
 * Returns whether a link opens a page of this site in this window. Returns false for a link to another part
 * of the current page.
 */
function staysHere(link: HTMLAnchorElement): boolean {
  if (!link.href || link.hasAttribute('download') || (link.target && link.target !== '_self')) return false
  const { origin, pathname, search, hash } = new URL(link.href)
  if (origin !== location.origin) return false
  return !(hash && pathname === location.pathname && search === location.search)
}
