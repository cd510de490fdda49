'use client'
import { useRef, useState } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { buttonClass } from '../ui/button'
import { DialogBox } from '../ui/confirm-dialog'
import { UserPlus } from '../ui/icon'
import { Link } from '../ui/link'
import { InviteForm, type SentInvitation } from './invite-form'

/**
 * A link that opens a dialog with the form to invite users. Without JavaScript, or in a new tab, the link
 * opens a page with the same form.
 */
export function InviteUsers({
  href,
  workspaceId,
  action,
}: {
  /** The URL of the page with the form. */
  href: string
  workspaceId: string
  action: FormAction<SentInvitation>
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Count how often the dialog was opened. The count is the form's key, so that each opening shows a new
  // form, without the previous invitation link and error.
  const [opened, setOpened] = useState(0)
  return (
    <>
      <Link
        href={href}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          setOpened((times) => times + 1)
          dialog.current?.showModal()
        }}
        className={buttonClass({ variant: 'primary' })}
      >
        <UserPlus /> Invite people
      </Link>
      <DialogBox dialog={dialog} title="Invite people">
        {opened > 0 && (
          <InviteForm
            key={opened}
            workspaceId={workspaceId}
            action={action}
            onClose={() => dialog.current?.close()}
          />
        )}
      </DialogBox>
    </>
  )
}
