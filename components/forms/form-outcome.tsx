'use client'
import { useEffect, useRef } from 'react'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { ToastOnce } from '../ui/toast'
import { WithoutScript } from './without-script'

/**
 * Reports the result of a form at its top: an error without a field, or a toast on success. After an error, the first
 * invalid field gets the focus, for keyboards and screen readers.
 */
export function FormOutcome<Result>({ state, saved }: { state: FormState<Result>; saved?: string }) {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (state.turn === 0) return
    const wrong = mark.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus()
  }, [state])
  return (
    <>
      <span ref={mark} hidden />
      {state.message && <Alert tone="danger" title={state.message} />}
      {state.result !== undefined && saved && (
        <>
          <ToastOnce key={state.turn} message={saved} />
          <WithoutScript tone="success" message={saved} />
        </>
      )}
    </>
  )
}
