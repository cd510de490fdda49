'use client'
import { useEffect, useId, useRef, useState } from 'react'
import { type ScopeRow, scopeLines, scopeRows } from '@/lib/features/resources/scope-lines'
import { useEarlyInput } from '../forms/hydration'
import { Button } from '../ui/button'
import { FieldError } from '../ui/field'
import { ChevronDown, Plus, X } from '../ui/icon'
import { Textarea } from '../ui/input'

/**
 * A row of the form. Without a stable key, removing a row would move the values of its selects to another
 * row. The selects are uncontrolled, because a controlled select would lose its value when React resets the
 * form.
 */
type Row = ScopeRow & { key: number }

const empty: ScopeRow = { name: '', selects: 'NOTHING', sensitivity: 'LOW', description: '' }

let lastKey = 0
const keyed = (row: ScopeRow): Row => ({ ...row, key: ++lastKey })

const selectsOptions = { NOTHING: 'None', WORKSPACES: 'Workspaces', PROJECTS: 'Projects' }
const sensitivityOptions = { LOW: 'Low', ELEVATED: 'Elevated', HIGH: 'High' }

/**
 * Returns the indexes of the rows that an error refers to: the rows whose name the error quotes, or else the
 * first row without a name or description, or else the first row. Returns an empty array if there is no
 * error.
 */
function wrongRows(rows: readonly ScopeRow[], error: string | undefined): number[] {
  if (error === undefined) return []
  const named = [...rows.keys()].filter((at) => rows[at]?.name && error.includes(`“${rows[at].name}”`))
  if (named.length > 0) return named
  const lacking = rows.findIndex(({ name, description }) => name === '' || description === '')
  return [Math.max(lacking, 0)]
}

/**
 * Lets instance admins edit the scopes of an API as rows that they can add and remove. The form sends the
 * scopes as lines of a text area. Browsers without JavaScript show this text area instead of the rows. The
 * styles of the rows are in app/components.css, because classes on each control would make up much of the
 * page.
 * @param lines the scopes in the format of `scopeLines`
 */
export function ScopeRows({ lines, error }: { lines: string; error: string | undefined }) {
  const [rows, setRows] = useState(() => (lines.trim() ? scopeRows(lines) : [empty]).map(keyed))
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  useEarlyInput(list)
  /** The index of the row that receives the focus after a change. */
  const focus = useRef<number>(undefined)
  useEffect(() => {
    if (focus.current === undefined) return
    const row = list.current?.children[Math.min(focus.current, rows.length - 1)]
    row?.querySelector('input')?.focus()
    focus.current = undefined
  }, [rows])
  const change = (next: (rows: Row[]) => Row[], at?: number) => {
    focus.current = at
    setRows((rows) => {
      const changed = next(rows)
      return changed.length > 0 ? changed : [keyed(empty)]
    })
  }
  const set = (at: number, part: Partial<ScopeRow>) =>
    change((rows) => rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  const wrong = wrongRows(rows, error)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out like the other labels
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-hint`}
      className="grid max-w-2xl gap-2"
    >
      <span id={`${id}-label`} className="font-medium text-sm">
        Scopes
      </span>
      <p id={`${id}-hint`} className="text-[13px] text-muted leading-[18px]">
        Apps request a scope by its name. Users see its description on the consent page.
        <noscript>
          {' '}
          Enter one scope per line: name | nothing, workspaces, or projects | low, elevated, or high |
          description.
        </noscript>
      </p>
      <Textarea
        name="scopes"
        aria-label="Scopes"
        mono
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
        value={scopeLines(rows)}
        onChange={({ target: { value } }) => change(() => scopeRows(value).map(keyed))}
        className="hidden noscript:block"
      />
      <ul ref={list} className="scope-rows needs-script">
        {rows.map((row, at) => (
          <li key={row.key}>
            <div>
              {/* The visible label is a pseudo-element. The control's accessible name also contains the row's number. */}
              <div data-label="Name">
                <input
                  dir="ltr"
                  aria-label={`Name of scope ${at + 1}`}
                  aria-invalid={wrong.includes(at) || undefined}
                  aria-describedby={wrong.includes(at) ? `${id}-error` : undefined}
                  spellCheck={false}
                  autoCapitalize="none"
                  autoComplete="off"
                  placeholder={row.name ? undefined : 'deployments:write'}
                  value={row.name}
                  onChange={(event) => set(at, { name: event.target.value })}
                  className="font-mono"
                />
              </div>
              <Button
                size="icon"
                variant="quiet"
                aria-label={`Remove ${row.name || `scope ${at + 1}`}`}
                disabled={rows.length === 1 && row.name === '' && row.description === ''}
                onClick={() => change((rows) => rows.filter((_, index) => index !== at), at)}
              >
                <X />
              </Button>
            </div>
            <div data-label="Description">
              <input
                aria-label={`Description of scope ${at + 1}`}
                aria-invalid={wrong.includes(at) || undefined}
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
            </div>
          </li>
        ))}
      </ul>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <Button
        size="small"
        onClick={() => change((rows) => [...rows, keyed(empty)], rows.length)}
        className="needs-script justify-self-start"
      >
        <Plus />
        Add scope
      </Button>
    </div>
  )
}

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
    <div data-label={text}>
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
