'use client'
import Form from 'next/form'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
import { Button } from '../ui/button'
import { HiddenFields } from '../ui/stack'
import { SearchField } from './search-bar'

/** The delay between the last keystroke and the update of the list, in milliseconds. */
const pause = 250

/**
 * The search field of a list. The list is updated while the user types. The search text is in the URL.
 * Without JavaScript, a button submits the text.
 */
export function ListSearch({
  path,
  name = 'search',
  label,
  placeholder = label,
  value,
  kept = {},
  maxLength = 80,
}: {
  path: string
  /** The URL parameter. */
  name?: string
  label: string
  /** The searchable fields, if the label does not name them. */
  placeholder?: string
  value: string
  /** Other URL parameters to keep. */
  kept?: Record<string, string>
  maxLength?: number
}) {
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [waiting, startWaiting] = useTransition()
  // If a link or the browser history changed the search, show the search text of the URL. If this field
  // changed the search, keep the field's text, because the user might have typed more since then.
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    if (value !== sent.trim()) {
      setText(value)
      setSent(value)
    }
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const set = Object.fromEntries(Object.entries(kept).filter(([, each]) => each))
  const addressOf = (search: string) => {
    const query = new URLSearchParams({ ...set, ...(search.trim() ? { [name]: search.trim() } : {}) })
    return query.size > 0 ? `${path}?${query}` : path
  }
  const find = (search: string) => {
    clearTimeout(timer.current)
    if (search.trim() === sent.trim()) return
    setSent(search)
    startWaiting(() => router.replace(addressOf(search), { scroll: false }))
  }
  const type = (search: string) => {
    setText(search)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => find(search), pause)
  }
  return (
    <Form
      action={path}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        find(text)
      }}
      className="flex min-w-0 flex-[0_1_340px] gap-2 max-sm:flex-[1_0_100%]"
    >
      <HiddenFields fields={set} />
      <SearchField
        label={label}
        name={name}
        placeholder={placeholder}
        value={text}
        onSearch={type}
        onClear={() => {
          setText('')
          find('')
        }}
        clearHref={addressOf('')}
        waiting={waiting}
        maxLength={maxLength}
      />
      <noscript>
        <Button type="submit">Search</Button>
      </noscript>
    </Form>
  )
}
