import { Check, Copy } from 'lucide-react'
import { Button } from '../ui/button'
import { coloured, type Language, languageOf } from './coloured'

/**
 * Code to copy, in colour. `title` says what it is: a file's name or what it does; it also names the copy button. Colours are
 * written on the server; the button takes components/page-scripts/copy.ts and is hidden without it.
 * @param language what it is written in; without it, what the title or the beginning says
 */
export function CodeBlock({ title, code, language }: { title: string; code: string; language?: Language }) {
  const text = code.trimEnd()
  const html = coloured(text, language ?? languageOf(title, text))
  return (
    <figure className="min-w-0 overflow-clip rounded-card border bg-surface">
      <figcaption className="flex min-h-10 items-center justify-between gap-3 border-b bg-raised py-1 pr-2 pl-4 text-[13px] text-muted">
        <span className="min-w-0 [overflow-wrap:anywhere]">{title}</span>
        <Button
          size="small"
          variant="quiet"
          data-copies
          aria-label={`Copy ${title}`}
          className="needs-script group"
        >
          <Copy aria-hidden className="group-data-copied:hidden" />
          <Check aria-hidden className="hidden text-success group-data-copied:block" />
          Copy
          <span role="status" className="sr-only" />
        </Button>
      </figcaption>
      <Written html={html} text={text} />
      <script src="/copy.js" async />
    </figure>
  )
}

function Written({ html, text }: { html: string | undefined; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <pre tabIndex={0} className="overflow-x-auto px-4 py-3 font-mono text-[13px] leading-5">
      {html === undefined ? (
        <code>{text}</code>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes what it is given (coloured.test.ts)
        <code dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </pre>
  )
}
