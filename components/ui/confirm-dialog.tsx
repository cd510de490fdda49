'use client'

import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import { Alert } from './alert'
import { Button, ButtonAnchor, type ButtonLook, pressOnSpace } from './button'
import { TextField } from './field'
import { HiddenFields } from './stack'
import { SubmitButton } from './submit-button'
import { useSay } from './use-say'

type Action = string | ((form: FormData) => void | Promise<void>)

/**
 * A button that opens a dialog, in which users confirm an irreversible action. The dialog is a native
 * `<dialog>` with a form inside: `action` is a server action or the path of a route handler, and `fields` are
 * hidden inputs. With `confirmName`, the form is valid only after the user types that name. The form sends
 * the typed name as `confirm`, and the server must check the name again. `trigger` is the text of the button
 * that opens the dialog, and `confirmLabel` is the text of the button that confirms. Without JavaScript, the
 * invoker command in `command` opens the dialog if the browser supports such commands. In a list, set `page`
 * or pass a function as `trigger`, so that the document contains the dialog only while it is open.
 */
export function ConfirmDialog({
  trigger,
  triggerLook,
  triggerLabel,
  title,
  confirmLabel,
  confirmName,
  action,
  fields,
  error,
  dialog,
  page,
  onClose,
  children,
}: {
  /**
   * The text of the button, or a function that returns another control, such as a menu, which calls `open`.
   */
  trigger: ReactNode | ((open: () => void) => ReactNode)
  triggerLook?: ButtonLook
  /** The accessible name of the button, such as "Revoke CI token", if the button's text is ambiguous. */
  triggerLabel?: string
  title: string
  confirmLabel: string
  confirmName?: string
  action: Action
  fields?: Record<string, string>
  error?: string | undefined
  dialog: RefObject<HTMLDialogElement | null>
  /**
   * The path of a page with the same action. The trigger is a link, which leads to this page without
   * JavaScript.
   */
  page?: string
  /** Called after the dialog closes for any reason. */
  onClose?: () => void
  /** The consequences. */
  children: ReactNode
}) {
  const say = useSay()
  const id = useId()
  const onDemand = page !== undefined || typeof trigger === 'function'
  const [shown, setShown] = useState(!onDemand)
  useEffect(() => {
    if (onDemand && shown) dialog.current?.showModal()
  }, [onDemand, shown, dialog])
  const look = {
    variant: 'danger-quiet' as const,
    ...triggerLook,
    'aria-label': triggerLabel,
    'aria-haspopup': 'dialog' as const,
  }
  return (
    <>
      {typeof trigger === 'function' ? (
        trigger(() => setShown(true))
      ) : page === undefined ? (
        <Button
          {...look}
          {...{ command: 'show-modal', commandfor: id }}
          onClick={(event) => {
            event.preventDefault()
            dialog.current?.showModal()
          }}
        >
          {trigger}
        </Button>
      ) : (
        // With JavaScript, the link opens the dialog instead of the page, so it has the button role.
        <ButtonAnchor
          {...look}
          href={page}
          role="button"
          onClick={(event) => {
            event.preventDefault()
            setShown(true)
          }}
          onKeyDown={pressOnSpace}
        >
          {trigger}
        </ButtonAnchor>
      )}
      {shown && (
        <DialogBox
          dialog={dialog}
          id={id}
          title={title}
          describedBy={`${id}-why`}
          onClose={() => {
            setShown(!onDemand)
            onClose?.()
          }}
        >
          <form
            {...(typeof action === 'string' ? { action, method: 'post' } : { action })}
            className="grid gap-4"
          >
            <HiddenFields fields={fields} />
            {error && <Alert tone="danger" title={error} />}
            <div id={`${id}-why`} className="grid gap-2 text-muted text-sm">
              {children}
            </div>
            {confirmName && (
              <TextField
                label={say('shared.typeName', { name: confirmName })}
                name="confirm"
                required
                autoComplete="off"
                spellCheck={false}
                pattern={literalPattern(confirmName)}
                title={say('shared.typeExactly', { name: confirmName })}
              />
            )}
            <div className="flex flex-wrap justify-end gap-2">
              <Button {...{ command: 'close', commandfor: id }} onClick={() => dialog.current?.close()}>
                {say('shared.cancel')}
              </Button>
              <SubmitButton variant="danger">{confirmLabel}</SubmitButton>
            </div>
          </form>
        </DialogBox>
      )}
    </>
  )
}

/**
 * Returns a value for the `pattern` attribute that matches only this text. Browsers compile the attribute
 * with the `v` flag. With this flag, the escape of any other character is a syntax error, and browsers ignore
 * a pattern with a syntax error.
 */
export const literalPattern = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')

/** A native modal `<dialog>`. It traps the focus, closes on Escape, and is named by its title. */
export function DialogBox({
  dialog,
  id,
  title,
  describedBy,
  onClose,
  children,
}: {
  dialog: RefObject<HTMLDialogElement | null>
  /** The dialog's ID, which buttons need to open or close the dialog with an invoker command. */
  id?: string
  title: string
  /** The ID of the description that screen readers read with the title. */
  describedBy?: string | undefined
  /** Called after the dialog closes for any reason. */
  onClose?: (() => void) | undefined
  children: ReactNode
}) {
  const titleId = useId()
  return (
    <dialog
      ref={dialog}
      id={id}
      onClose={onClose}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      className="dialog animate-appear"
    >
      <div className="grid gap-4 p-5 sm:p-6">
        <h2 id={titleId} className="font-semibold text-base">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
