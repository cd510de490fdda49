'use client'
import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

/**
 * Views of one thing that need no address of their own, such as snippets in several languages. Pages use SubNav.
 * `label` names the list; each tab has a `value`, a `label` and its `content`.
 */
export function Tabs({
  label,
  tabs,
  value,
}: {
  label: string
  tabs: { value: string; label: string; content: ReactNode }[]
  /** The tab that is open at first; the first one otherwise. */
  value?: string
}) {
  return (
    <Primitive.Root defaultValue={value ?? tabs[0]?.value ?? ''}>
      <Primitive.List aria-label={label} className="flex gap-1 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-3 py-2 font-medium text-muted text-sm hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-link data-[state=active]:text-text"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
