'use client'
import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'

/** A preview of the branding: the pages, the CSS variables with the colors, and the errors by field. */
type Preview = {
  pages: Record<'signIn' | 'consent', ReactNode>
  style: Record<string, string>
  problems: Record<string, string>
}

const pages = { signIn: 'Sign-in', consent: 'Consent' } as const
const schemes = { light: 'Light', dark: 'Dark' } as const

/** The delay between the last keystroke or click and the update of the preview, in milliseconds. */
const pauseMs = 250

/**
 * Shows a preview of the sign-in page or the consent page with the values of the surrounding form. When the
 * values change, the server renders the pages again. The previewed page is in an iframe, so its layout
 * depends on the width of the iframe. The page is not interactive.
 * @param first the preview of the saved settings
 * @param draw renders the preview for the form's values; returns undefined to keep the current preview
 */
export function BrandPreview({
  first,
  draw,
}: {
  first: Preview
  draw: (form: FormData) => Promise<Preview | undefined>
}) {
  const mark = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(first)
  const [page, setPage] = useState<keyof typeof pages>('signIn')
  const [scheme, setScheme] = useState<keyof typeof schemes>('light')

  useEffect(() => {
    const form = mark.current?.closest('form')
    if (!form) return
    let waiting: ReturnType<typeof setTimeout> | undefined
    let shown = textOf(form)
    const redraw = () => {
      const text = textOf(form)
      if (text === shown) return
      shown = text
      startTransition(async () => {
        const next = await draw(new FormData(form))
        if (next) startTransition(() => setDrawn(next))
      })
    }
    const later = () => {
      clearTimeout(waiting)
      waiting = setTimeout(redraw, pauseMs)
    }
    // Update the preview after a click too, because the click can discard the changes.
    for (const kind of ['input', 'click']) form.addEventListener(kind, later)
    return () => {
      clearTimeout(waiting)
      for (const kind of ['input', 'click']) form.removeEventListener(kind, later)
    }
  }, [draw])

  const problems = Object.values(drawn.problems)
  return (
    <div ref={mark} className="needs-script grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-[15px] leading-[22px]">Preview</h2>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          <Choice label="Page" options={pages} chosen={page} choose={setPage} />
          <Choice label="Colors" options={schemes} chosen={scheme} choose={setScheme} />
        </div>
      </div>
      <Framed style={drawn.style} scheme={scheme} title={`${pages[page]} page in ${scheme} colors`}>
        {drawn.pages[page]}
      </Framed>
      <div role="status">{problems.length > 0 && <Alert tone="warning" title={problems.join(' ')} />}</div>
    </div>
  )
}

const textOf = (form: HTMLFormElement) =>
  JSON.stringify([...new FormData(form)].filter(([name]) => !name.startsWith('$')))

function Choice<Key extends string>({
  label,
  options,
  chosen,
  choose,
}: {
  label: string
  options: Readonly<Record<Key, string>>
  chosen: Key
  choose: (key: Key) => void
}) {
  return (
    <fieldset aria-label={label} className="flex gap-1">
      {(Object.entries(options) as [Key, string][]).map(([key, text]) => (
        <Button
          key={key}
          size="small"
          variant={key === chosen ? 'secondary' : 'quiet'}
          aria-pressed={key === chosen}
          onClick={() => choose(key)}
        >
          {text}
        </Button>
      ))}
    </fieldset>
  )
}

/**
 * An iframe with the product's style sheets. The rendered page is copied into the iframe without scripts and
 * listeners. The iframe's body is inert, so that nothing can be pressed or focused.
 */
function Framed({
  style,
  scheme,
  title,
  children,
}: {
  style: Record<string, string>
  scheme: string
  title: string
  children: ReactNode
}) {
  const [inside, setInside] = useState<Document>()
  const [drawing, setDrawing] = useState<HTMLElement>()
  useEffect(() => setDrawing(document.createElement('div')), [])

  useEffect(() => {
    const root = inside?.documentElement
    if (!root) return
    root.dataset.theme = scheme
    for (const [name, value] of Object.entries(style)) root.style.setProperty(name, value)
  }, [inside, style, scheme])

  useEffect(() => {
    if (!inside || !drawing) return
    const copy = () => {
      const page = drawing.cloneNode(true) as HTMLElement
      for (const script of page.querySelectorAll('script')) script.remove()
      inside.body.replaceChildren(...page.childNodes)
    }
    copy()
    const changes = new MutationObserver(copy)
    changes.observe(drawing, { childList: true, subtree: true, characterData: true, attributes: true })
    return () => changes.disconnect()
  }, [inside, drawing])

  const take = (frame: HTMLIFrameElement) => {
    const own = frame.contentDocument
    if (!own) return
    own.documentElement.className = document.documentElement.className
    own.documentElement.lang = 'en'
    own.body.className = 'font-sans antialiased'
    own.body.inert = true
    for (const sheet of document.head.querySelectorAll('link[rel="stylesheet"], style')) {
      own.head.append(sheet.cloneNode(true))
    }
    setInside(own)
  }
  return (
    <div className="h-[470px] overflow-hidden rounded-card border bg-background max-sm:h-[560px]">
      {drawing && (
        <>
          <iframe
            title={title}
            srcDoc="<!doctype html><html><head></head><body></body></html>"
            tabIndex={-1}
            onLoad={({ currentTarget }) => take(currentTarget)}
            className="h-[133.34%] w-[133.34%] origin-top-left scale-75 max-sm:h-full max-sm:w-full max-sm:scale-100"
          />
          {createPortal(children, drawing)}
        </>
      )}
    </div>
  )
}
