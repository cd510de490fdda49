import { type ReactNode, type RefObject, useId } from 'react'

/** A question over the page: a native `<dialog>`, which holds the focus, closes by Escape, and is named by its title. */
export function DialogBox({
  dialog,
  id,
  title,
  describedBy,
  onClose,
  children,
}: {
  dialog: RefObject<HTMLDialogElement | null>
  /** For a button that opens it by a command. */
  id?: string
  title: string
  /** The id of what is read out with the title when it opens. */
  describedBy?: string | undefined
  /** Called when it was closed, by whatever means. */
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
      className="animate-appear m-auto w-[min(460px,calc(100vw-32px))] whitespace-normal rounded-panel border border-border-strong bg-overlay p-0 text-start font-normal shadow-overlay backdrop:bg-[rgb(8_10_14/0.5)]"
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
