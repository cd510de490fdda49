'use client'
import { useEffect, useId, useRef, useState } from 'react'
import { type ScopeRow, scopeLines, scopeRows } from '@/lib/features/resources/scope-lines'
import { useEarlyInput } from '../forms/hydration'
import { Badge, type Tone } from '../ui/badge'
import { Button } from '../ui/button'
import { FieldError } from '../ui/field'
import { ChevronDown, ChevronRight, Plus } from '../ui/icon'
import { Textarea } from '../ui/input'

/**
 * A row of the form. Without a stable key, removing a row would move the values of its selects to another
 * row. The selects are uncontrolled, because a controlled select would lose its value when React resets the
 * form. `added` is set if the user added the row, and `wrong` is the field to which the form's error refers.
 * In both cases, the row's editor is open at first.
 */
type Row = ScopeRow & { key: number; added?: boolean; wrong?: 'name' | 'description' }

const empty: ScopeRow = { name: '', selects: 'NOTHING', sensitivity: 'LOW', description: '' }

let lastKey = 0
const keyed = (row: ScopeRow): Row => ({ ...row, key: ++lastKey })
const newRow = (): Row => ({ ...keyed(empty), added: true })

const selectsOptions = { NOTHING: 'None', WORKSPACES: 'Workspaces', PROJECTS: 'Projects' }
const sensitivityOptions = { LOW: 'Low', ELEVATED: 'Elevated', HIGH: 'High' }
const tones: Record<string, Tone> = { ELEVATED: 'warning', HIGH: 'danger' }

/** Describes the scopes to the instance admin. */
export const scopesHint = 'Apps request a scope by its name. Users see its description on the consent page.'

/** The number of characters of a long name that an error quotes. */
const quoted = 64

/**
 * Returns the rows of a list of scopes, or a new row if the list is empty. Marks the rows to which an error
 * refers: the rows whose name the error quotes, or else the first row without a name or description. An error
 * about the number of scopes refers to no row.
 */
function rowsOf(lines: string, error: string | undefined): Row[] {
  const rows = lines.trim() ? scopeRows(lines).map(keyed) : [newRow()]
  if (error === undefined) return rows
  const isNamed = ({ name }: Row) =>
    name !== '' && error.includes(name.length > quoted ? `“${name.slice(0, quoted)}…”` : `“${name}”`)
  if (rows.some(isNamed)) return rows.map((row) => (isNamed(row) ? { ...row, wrong: 'name' } : row))
  const lacking = rows.findIndex(({ name, description }) => name === '' || description === '')
  return rows.map((row, at) =>
    at === lacking ? { ...row, wrong: row.name === '' ? 'name' : 'description' } : row,
  )
}

/**
 * Lets instance admins edit the scopes of an API as a list. Each row shows a scope, and opens to the scope's
 * editor. New rows and invalid rows are open. The form sends the scopes as lines of a text area. Browsers
 * without JavaScript show this text area instead of the list. The styles of the list are in
 * app/components.css, because classes on each control would make up much of the page.
 * @param lines the scopes in the format of `scopeLines`
 * @param titled whether the list shows its own title and hint, because it is not in a section of its own
 */
export function ScopeRows({
  lines,
  error,
  titled = false,
}: {
  lines: string
  error: string | undefined
  titled?: boolean
}) {
  const [rows, setRows] = useState(() => rowsOf(lines, error))
  // Removing a wrong row also removes the error.
  const [isGeneral] = useState(() => rows.every((row) => !row.wrong))
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  useEarlyInput(list)
  /** The index of the row that receives the focus after a change, and the part of the row. */
  const focus = useRef<{ at: number; part: 'input' | 'summary' }>(undefined)
  useEffect(() => {
    if (!focus.current) return
    const { at, part } = focus.current
    const row = list.current?.children[Math.min(at, rows.length - 1)]
    row?.querySelector<HTMLElement>(part)?.focus()
    focus.current = undefined
  }, [rows])
  const change = (next: (rows: Row[]) => Row[]) =>
    setRows((rows) => {
      const changed = next(rows)
      return changed.length > 0 ? changed : [newRow()]
    })
  const set = (at: number, part: Partial<ScopeRow>) =>
    change((rows) => rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  const add = () => {
    focus.current = { at: rows.length, part: 'input' }
    change((rows) => [...rows, newRow()])
  }
  const remove = (at: number) => {
    focus.current = { at, part: rows.length === 1 ? 'input' : 'summary' }
    change((rows) => rows.filter((_, index) => index !== at))
  }
  const wrong = rows.find((row) => row.wrong)
  const message = error && <FieldError id={`${id}-error`}>{error}</FieldError>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out like the other labels
    <div role="group" aria-label="Scopes" className="scope-group">
      {titled && (
        <div className="grid gap-1">
          <span className="font-medium text-sm">Scopes</span>
          <p className="text-[13px] text-muted leading-[18px]">{scopesHint}</p>
        </div>
      )}
      <ul ref={list} className="scope-rows needs-script">
        {rows.map((row, at) => (
          <li key={row.key}>
            <details className="group" open={row.added || row.wrong !== undefined}>
              <ScopeSummary scope={row} />
              <div className="scope-editor">
                {row === wrong && message}
                {/* The visible label is a pseudo-element. The control's accessible name also contains the row's number. */}
                <div data-label="Name">
                  <input
                    dir="ltr"
                    aria-label={`Name of scope ${at + 1}`}
                    aria-invalid={row.wrong === 'name' || undefined}
                    aria-describedby={row.wrong === 'name' ? `${id}-error` : undefined}
                    spellCheck={false}
                    autoCapitalize="none"
                    autoComplete="off"
                    placeholder={row.name ? undefined : 'deployments:write'}
                    value={row.name}
                    onChange={(event) => set(at, { name: event.target.value })}
                    className="font-mono"
                  />
                </div>
                <div data-label="Description">
                  <input
                    aria-label={`Description of scope ${at + 1}`}
                    aria-invalid={row.wrong === 'description' || undefined}
                    aria-describedby={row.wrong === 'description' ? `${id}-error` : undefined}
                    autoComplete="off"
                    maxLength={200}
                    placeholder={row.description ? undefined : 'Deploy the projects you choose'}
                    value={row.description}
                    onChange={(event) => set(at, { description: event.target.value })}
                  />
                </div>
                <div>
                  <Choices
                    text="Resource selection"
                    label={`What users select for scope ${at + 1}`}
                    options={selectsOptions}
                    value={row.selects}
                    choose={(selects) => set(at, { selects })}
                  />
                  <Choices
                    text="Sensitivity"
                    label={`Sensitivity of scope ${at + 1}`}
                    options={sensitivityOptions}
                    value={row.sensitivity}
                    choose={(sensitivity) => set(at, { sensitivity })}
                  />
                  <Button
                    variant="danger-quiet"
                    aria-label={`Remove ${row.name || `scope ${at + 1}`}`}
                    disabled={rows.length === 1 && row.name === '' && row.description === ''}
                    onClick={() => remove(at)}
                  >
                    Remove
                  </Button>
                </div>
              </div>
            </details>
          </li>
        ))}
      </ul>
      <div className="grid gap-2">
        <noscript>
          <p className="text-[13px] text-muted leading-[18px]">
            Enter one scope per line: name | nothing, workspaces, or projects | low, elevated, or high |
            description.
          </p>
        </noscript>
        <Textarea
          name="scopes"
          aria-label="Scopes"
          mono
          rows={6}
          spellCheck={false}
          autoCapitalize="none"
          value={scopeLines(rows)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${id}-error`}
          autoFocus={error !== undefined}
          onChange={({ target: { value } }) => change(() => scopeRows(value).map(keyed))}
          className="hidden noscript:block"
        />
        {isGeneral ? message : <noscript>{message}</noscript>}
        <Button size="small" onClick={add} className="needs-script justify-self-start">
          <Plus />
          Add scope
        </Button>
      </div>
    </div>
  )
}

/** Shows a scope in one line, or in two lines in a narrow list. */
function ScopeSummary({ scope: { name, description, selects, sensitivity } }: { scope: ScopeRow }) {
  return (
    <summary className="scope-summary">
      <ChevronRight className="size-4 text-muted group-open:rotate-90" />
      <code dir="ltr" title={name} className={name ? undefined : 'font-sans text-muted'}>
        {name || 'New scope'}
      </code>
      <bdi title={description}>{description}</bdi>
      <span className="text-[13px] text-muted @max-md:hidden">
        {selects === 'NOTHING' ? '' : inWords(selectsOptions, selects)}
      </span>
      <Badge tone={tones[sensitivity] ?? 'neutral'}>{inWords(sensitivityOptions, sensitivity)}</Badge>
    </summary>
  )
}

const inWords = (options: Record<string, string>, value: string): string => options[value] ?? value

function Choices({
  text,
  label,
  options,
  value,
  choose,
}: {
  /** The visible label. */
  text: string
  /** The accessible name. */
  label: string
  options: Record<string, string>
  value: string
  choose: (value: string) => void
}) {
  return (
    <div data-label={text} className="basis-32">
      <select aria-label={label} defaultValue={value} onChange={(event) => choose(event.target.value)}>
        {Object.entries(options).map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
        {!(value in options) && <option value={value}>{value}</option>}
      </select>
      <ChevronDown />
    </div>
  )
}
