import { CopyButton } from '../ui/copy-button'

/** Code to copy. `title` says what it is: a file's name or what it does; it also names the copy button. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  const text = code.trimEnd()
  return (
    <figure className="min-w-0 overflow-clip rounded-card border bg-surface">
      <figcaption className="flex min-h-10 items-center justify-between gap-3 border-b bg-raised py-1 pr-2 pl-4 text-[13px] text-muted">
        {title}
        <CopyButton value={`${text}\n`} label={`Copy ${title}`} variant="quiet" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto px-4 py-3 font-mono text-[13px] leading-5">
        <code>{text}</code>
      </pre>
    </figure>
  )
}
