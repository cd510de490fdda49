'use client'
import { type ClipboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useEarlyInput } from '../forms/hydration'
import { Button } from '../ui/button'
import { FieldError } from '../ui/field'
import { Plus, X } from '../ui/icon'
import { Input, Textarea } from '../ui/input'
import { SharedMessage } from '../ui/use-say'

const rowsOf = (text: string): string[] => text.split(/\r?\n/)

/** Returns the rows with one row replaced by the lines of a text. */
export const replaceRowWithLines = (rows: readonly string[], at: number, text: string): string[] => [
  ...rows.slice(0, at),
  ...rowsOf(text),
  ...rows.slice(at + 1),
]

/**
 * Returns the rows without the row at the given index. If no row is left, returns one empty row for new
 * input.
 */
export const removeRow = (rows: readonly string[], at: number): string[] => {
  const left = rows.filter((_, index) => index !== at)
  return left.length > 0 ? left : ['']
}

/**
 * Returns the indexes of the rows that an error refers to: the rows with whose URI a line of the error
 * begins, or else the first row. Returns an empty array if there is no error.
 */
function wrongRows(rows: readonly string[], error: string | undefined): number[] {
  if (error === undefined) return []
  const lines = error.split('\n')
  // The server shortens long URIs in the error, so a line can also begin with the first 57 characters and an
  // ellipsis.
  const isNamed = (uri: string) =>
    lines.some((line) => line.startsWith(`${uri} `) || line.startsWith(`${uri.slice(0, 57)}... `))
  const named = [...rows.keys()].filter((at) => isNamed((rows[at] as string).trim()))
  return named.length > 0 ? named : [0]
}

/**
 * Lets users edit a list of URIs as rows that they can add and remove. Pasted lines become separate rows. The
 * form sends the rows as lines of a text area. Browsers without JavaScript show this text area instead of the
 * rows.
 */
export function UriRows({
  id,
  label,
  name,
  hint,
  optional,
  uris,
  error,
}: {
  /** The URL fragment for links to the list. */
  id: string
  /** The label in the plural, such as "Redirect URIs". */
  label: string
  name: string
  hint: ReactNode
  optional?: boolean
  /** The URIs, one per line. */
  uris: string
  error: string | undefined
}) {
  const [rows, setRows] = useState(() => rowsOf(uris))
  const described = useId()
  const list = useRef<HTMLUListElement>(null)
  useEarlyInput(list)
  /** The index of the row that receives the focus after a change. */
  const focus = useRef<number>(undefined)
  useEffect(() => {
    if (focus.current === undefined) return
    list.current?.querySelectorAll('input')[Math.min(focus.current, rows.length - 1)]?.focus()
    focus.current = undefined
  }, [rows])
  const change = (next: (rows: string[]) => string[], at?: number) => {
    focus.current = at
    setRows(next)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>, at: number) => {
    const lines = rowsOf(event.clipboardData.getData('text').trim())
    if (lines.length < 2) return
    event.preventDefault()
    change((rows) => replaceRowWithLines(rows, at, lines.join('\n')), at + lines.length - 1)
  }
  const one = label.slice(0, -1)
  const wrong = wrongRows(rows, error)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot share its line with "optional"
    <div
      id={id}
      role="group"
      aria-labelledby={`${described}-label`}
      aria-describedby={`${described}-hint`}
      className="grid max-w-2xl scroll-mt-6 gap-1.5"
    >
      <div className="flex items-baseline justify-between gap-3">
        <span id={`${described}-label`} className="font-medium text-sm">
          {label}
        </span>
        {optional && (
          <span className="text-[13px] text-muted">
            <SharedMessage of="shared.optional" />
          </span>
        )}
      </div>
      <Textarea
        name={name}
        aria-label={label}
        mono
        spellCheck={false}
        autoCapitalize="none"
        value={rows.filter(Boolean).join('\n')}
        onChange={(event) => change(() => rowsOf(event.target.value))}
        className="hidden noscript:block"
      />
      <ul ref={list} className="needs-script grid gap-1.5">
        {rows.map((uri, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and their text is controlled
          <li key={at} className="flex gap-1.5">
            <Input
              dir="ltr"
              aria-label={`${one} ${at + 1}`}
              aria-invalid={wrong.includes(at) || undefined}
              aria-describedby={wrong.includes(at) ? `${described}-error` : undefined}
              inputMode="url"
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              value={uri}
              onChange={({ target: { value } }) =>
                change((rows) => rows.map((row, index) => (index === at ? value : row)))
              }
              onPaste={(event) => paste(event, at)}
              className="font-mono md:text-[13px]"
            />
            <Button
              size="icon"
              variant="quiet"
              aria-label={`Remove ${uri || `${one} ${at + 1}`}`}
              disabled={rows.length === 1 && uri === ''}
              onClick={() => change((rows) => removeRow(rows, at), at)}
              className="shrink-0"
            >
              <X />
            </Button>
          </li>
        ))}
      </ul>
      {error && <FieldError id={`${described}-error`}>{error}</FieldError>}
      <Button
        size="small"
        onClick={() => change((rows) => [...rows, ''], rows.length)}
        className="needs-script justify-self-start"
      >
        <Plus />
        Add {one.charAt(0).toLowerCase() + one.slice(1)}
      </Button>
      <p id={`${described}-hint`} className="text-[13px] text-muted leading-[18px]">
        {hint}
      </p>
    </div>
  )
}
