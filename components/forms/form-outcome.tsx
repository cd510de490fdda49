'use client'
import { type RefObject, useEffect, useRef } from 'react'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button, ButtonAnchor } from '../ui/button'
import { ToastOnce } from '../ui/toast'
import { useSay } from '../ui/use-say'
import { restoreStoredInput, storeInput } from './form-values'
import { WithoutScript } from './without-script'

/**
 * Shows the result of a form: an alert for an error that does not belong to a field or, on success, a toast
 * with the text `saved`. After an error, the first invalid field gets the focus. If the form has a SaveBar, a
 * failed request is shown there instead. The component also restores the input that `storeInput` stored
 * before a reload.
 */
export function FormOutcome<Result>({ state, saved }: { state: FormState<Result>; saved?: string }) {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const form = mark.current?.closest('form')
    if (form) restoreStoredInput(form)
  }, [])
  useEffect(() => {
    if (state.failure) mark.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' })
    if (state.turn === 0 || state.failure) return
    const wrong = mark.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus()
  }, [state])
  return (
    <>
      <span ref={mark} hidden />
      {state.message && (
        <Alert
          tone="danger"
          title={state.message}
          action={<RetryStep state={state} mark={mark} />}
          className={state.failure && '[form:has([data-failure])_&]:hidden'}
        />
      )}
      {state.result !== undefined && saved && (
        <>
          <ToastOnce key={state.turn} message={saved} />
          <WithoutScript tone="success" message={saved} />
        </>
      )}
    </>
  )
}

type Mark = RefObject<HTMLElement | null>

/**
 * Shows the step that some failed requests need before the next try: a sign-in in another tab, or a reload
 * that keeps the input except for secrets and files. Renders nothing after other failures.
 * @param mark an element within the form
 */
export function RetryStep({ state, mark }: { state: FormState<unknown>; mark: Mark }) {
  const say = useSay()
  if (state.failure === 'signedOut')
    return (
      <ButtonAnchor href="/login" target="_blank" size="small">
        {say('shared.signIn')}
      </ButtonAnchor>
    )
  if (state.failure !== 'updated') return null
  const reload = () => {
    const form = mark.current?.closest('form')
    if (form) storeInput(form)
    location.reload()
  }
  return (
    <Button size="small" onClick={reload}>
      {say('shared.reload')}
    </Button>
  )
}
