'use client'
import { useRef } from 'react'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { SubmitButton } from '../ui/submit-button'
import { LeaveGuard } from './leave-guard'
import { useUnsaved } from './use-unsaved'

/**
 * The end of a form that changes what is there: its button, which turns into a bar that stays in sight, says how much is not
 * saved, takes it back, and asks before it is lost. Put it last in the `<form>`. Without a script it is the button alone.
 * @param state what came of the form
 */
export function SaveBar({ state, label = 'Save' }: { state: FormState<unknown>; label?: string }) {
  const mark = useRef<HTMLDivElement>(null)
  const { count, discard } = useUnsaved(mark, state)
  const unsaved = count > 0
  // The button goes with what it took back, and would take the focus along.
  const discardAndStay = () => {
    discard()
    mark.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  return (
    <div ref={mark} className={cn('mt-5 flex max-w-[760px] justify-end', unsaved && 'sticky bottom-4 z-10')}>
      <div
        className={cn(
          'flex flex-wrap items-center gap-2 rounded-panel border border-transparent',
          unsaved && 'animate-appear border-border-strong bg-overlay p-2 pl-4 shadow-overlay max-sm:w-full',
        )}
      >
        <p role="status" className={cn(unsaved && 'mr-3 flex items-center gap-2 text-sm max-sm:w-full')}>
          {unsaved && (
            <>
              <span aria-hidden className="size-2 rounded-full bg-warning" />
              {count === 1 ? '1 unsaved change' : `${count} unsaved changes`}
            </>
          )}
        </p>
        {unsaved && (
          <Button variant="quiet" className="max-sm:flex-1" onClick={discardAndStay}>
            Discard
          </Button>
        )}
        <SubmitButton className={cn(unsaved && 'max-sm:flex-1')}>
          {label}
          {unsaved && (
            <kbd aria-hidden className="font-sans text-xs opacity-80 max-sm:hidden">
              Ctrl S
            </kbd>
          )}
        </SubmitButton>
      </div>
      <LeaveGuard mark={mark} count={count} discard={discard} />
    </div>
  )
}
