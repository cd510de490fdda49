import { Badge } from '../ui/badge'
import { TextAnchor } from '../ui/button'
import { Card } from '../ui/card'
import { CodeBlock } from './code-block'
import { SchemaText } from './prose'

/** An operation, field, argument, or enum value, as lib/edges/graphql/reference describes it. */
type Entry = {
  name: string
  description: string
  type?: string
  named?: string
  deprecated?: string
  example?: string
  arguments: Entry[]
}

/**
 * Lists entries of the GraphQL reference, each with an anchor and its description. If an entry has a type, a
 * deprecation, arguments, or an example, the list shows them too.
 */
export function ReferenceList({ entries }: { entries: Entry[] }) {
  return (
    <Card className="divide-y text-sm leading-5">
      {entries.map((entry) => (
        <div
          key={entry.name}
          id={entry.name}
          className="grid scroll-mt-20 gap-1.5 px-4 py-3 target:bg-accent-soft"
        >
          <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 font-mono text-[13px]">
            <a href={`#${entry.name}`} className="rounded-[3px] font-semibold hover:underline">
              {entry.name}
            </a>
            <TypeLink entry={entry} />
            {entry.deprecated && <Badge tone="warning">Deprecated</Badge>}
          </p>
          <p className="max-w-[72ch]">
            <SchemaText text={entry.description} />
          </p>
          {entry.deprecated && (
            <p className="max-w-[72ch] text-warning">
              <SchemaText text={entry.deprecated} />
            </p>
          )}
          {entry.arguments.length > 0 && <Arguments entries={entry.arguments} />}
          {entry.example && (
            <div className="mt-2 min-w-0">
              <CodeBlock title={`Example of ${entry.name}`} code={entry.example} />
            </div>
          )}
        </div>
      ))}
    </Card>
  )
}

const Arguments = ({ entries }: { entries: Entry[] }) => (
  <dl className="mt-1 grid gap-1.5 border-l-2 pl-3 text-[13px]">
    {entries.map((entry) => (
      <div key={entry.name} className="grid gap-x-3 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
        <dt className="flex flex-wrap gap-x-2 font-mono">
          {entry.name} <TypeLink entry={entry} />
        </dt>
        <dd className="text-muted">
          <SchemaText text={entry.description} />
        </dd>
      </div>
    ))}
  </dl>
)

const TypeLink = ({ entry: { type, named } }: { entry: Entry }) =>
  type && named ? <TextAnchor href={`/docs/graphql/${named}`}>{type}</TextAnchor> : null

type Line = { name: string; description: string; label?: string }

/**
 * Lists the operations of a noun, each with the first sentence of its description and a link to its details
 * on the page `href`. Each entry has an anchor with the operation's name. A label marks an operation of an
 * unusual kind.
 */
export function ReferenceIndex({ href, entries }: { href: string; entries: Line[] }) {
  return (
    <ul className="grid gap-1.5 text-sm leading-5">
      {entries.map(({ name, description, label }) => (
        <li
          key={name}
          id={name}
          className="grid scroll-mt-20 gap-x-3 target:bg-raised sm:grid-cols-[16rem_1fr]"
        >
          <span className="font-mono text-[13px] break-all">
            <TextAnchor href={`${href}#${name}`}>{name}</TextAnchor>
          </span>
          <span className="text-muted">
            <SchemaText text={summaryOf(description)} /> {label && <Badge>{label}</Badge>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns the first sentence. If it is only the hint of a compatibility field, also returns the second
 * sentence.
 */
export const summaryOf = (text: string): string =>
  /^(?:Compatibility field [^.]*\. )?.*?\.(?=\s|$)/.exec(text)?.[0] ?? text
