'use client'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { buttonClass } from './button'
import { X } from './icon'

/** The classes of the overlay between a dialog and the page. */
export const dialogOverlay = 'animate-appear fixed inset-0 z-40 bg-[rgb(8_10_14/0.5)]'

/**
 * The root of a dialog. If a button opens the dialog, the button must be in a DialogTrigger (asChild).
 * Without a trigger, use `open` and `onOpenChange` to control the dialog.
 */
export const Dialog = Primitive.Root
export const DialogTrigger = Primitive.Trigger
export const DialogClose = Primitive.Close

type ContentProps = { title: string; description?: ReactNode; children: ReactNode }

/**
 * A centered dialog with a title, an optional description, its content, and a Close button. It also closes on
 * Escape and on a press outside the dialog.
 */
export function DialogContent({ title, description, children }: ContentProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={dialogOverlay} />
      <Primitive.Content
        {...(description ? {} : { 'aria-describedby': undefined })}
        className="animate-appear fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-32px)] w-[min(520px,calc(100vw-32px))] -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto rounded-panel border border-border-strong bg-overlay p-5 shadow-overlay sm:p-6"
      >
        <div className="grid gap-1 pr-8">
          <Primitive.Title className="font-semibold text-base">{title}</Primitive.Title>
          {description && <Primitive.Description className="text-muted">{description}</Primitive.Description>}
        </div>
        {children}
        <CloseButton />
      </Primitive.Content>
    </Primitive.Portal>
  )
}

function CloseButton() {
  return (
    <Primitive.Close
      aria-label="Close"
      className={buttonClass({ variant: 'quiet', size: 'icon', className: 'absolute top-3 right-3' })}
    >
      <X />
    </Primitive.Close>
  )
}
