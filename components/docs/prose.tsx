import { Fragment, type ReactNode } from 'react'
import { cn } from '../ui/cn'
import { ChevronRight } from '../ui/icon'

/** Components for documentation pages. */

/** A docs page: breadcrumbs (`trail`), its title, an introduction (`lead`), and its sections. */
export function DocsArticle({
  title,
  lead,
  trail,
  children,
}: {
  title: string
  lead: ReactNode
  trail?: { label: string; href: string }[]
  children: ReactNode
}) {
  return (
    <article>
      <header className="mb-8 grid grid-cols-[minmax(0,1fr)] gap-1">
        {trail && <Trail pages={trail} />}
        <h1 className="font-semibold text-[26px] leading-[34px] tracking-[-0.02em]">{title}</h1>
        <p className="max-w-[68ch] text-base text-muted">{lead}</p>
      </header>
      <div className="grid gap-10 [&>*]:min-w-0 [&_:is(li,dd,td)]:text-pretty">{children}</div>
    </article>
  )
}

const Trail = ({ pages }: { pages: { label: string; href: string }[] }) => (
  <nav aria-label="Breadcrumb">
    <ol className="flex flex-wrap gap-x-1.5 text-[13px] text-muted">
      {pages.map(({ label, href }) => (
        <li
          key={href}
          className="not-last:after:pl-1.5 not-last:after:text-control not-last:after:content-['/']"
        >
          <a href={href} className="rounded-[3px] hover:text-text hover:underline">
            {label}
          </a>
        </li>
      ))}
    </ol>
  </nav>
)

/** A section with a heading. The heading has an anchor and links to it. */
export function DocsSection({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-4 [&>*]:min-w-0">
      <h2 id={id} className="scroll-mt-20 font-semibold text-lg leading-7">
        <a href={`#${id}`} className="rounded-[3px] hover:underline">
          {title}
        </a>
      </h2>
      {children}
    </section>
  )
}

export const P = ({ className, children }: { className?: string; children: ReactNode }) => (
  <p className={cn('max-w-[72ch]', className)}>{children}</p>
)

/** The number of characters that fit on one line of the narrowest phone, also in a nested list. */
const oneLine = 28

/**
 * Text in a monospace font. Short text stays on one line. Longer text can wrap after the separators in URLs
 * and names.
 */
export function Code({ children }: { children: string | string[] }) {
  const text = [children].flat().join('')
  return (
    <code
      className={cn(
        'rounded-[4px] bg-[color-mix(in_srgb,var(--text)_6%,transparent)] px-0.5 py-0.5 font-mono text-[0.9em]',
        text.length > oneLine ? 'box-decoration-clone' : 'whitespace-nowrap',
      )}
    >
      {text.length > oneLine ? breakable(text) : text}
    </code>
  )
}

/** Returns the text with a possible line break after each `/` and `_`, and after each `.` within a name. */
const breakable = (text: string): ReactNode =>
  text.split(/(?<=[/_])(?![/_])|(?<=\w\.)(?=\w)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** The way to a page of the console, such as "Settings > Apps". No line begins with a ">". */
export const MenuPath = ({ children }: { children: string }) => children.replaceAll(' >', '\u00a0>')

/** Ordered steps. */
export const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="grid max-w-[72ch] list-decimal gap-2 pl-5 marker:text-muted">{children}</ol>
)

export const Bullets = ({ children }: { children: ReactNode }) => (
  <ul className="grid max-w-[72ch] list-disc gap-2 pl-5 marker:text-muted">{children}</ul>
)

/** Content that opens on demand, for details that few readers need. */
export const Fold = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="group min-w-0">
    <summary className="flex w-fit list-none items-center gap-1 rounded-control font-medium text-sm">
      <ChevronRight className="size-4 text-muted group-open:rotate-90" />
      {title}
    </summary>
    <div className="mt-3 grid [&>*]:min-w-0">{children}</div>
  </details>
)

/**
 * Shows a description from the GraphQL schema: text between backticks as code, and text between underscores
 * emphasized.
 */
export const SchemaText = ({ text }: { text: string }) =>
  text.split(/(`[^`]*`|\b_\w+_\b)/).map((part, index) => {
    if (index % 2 === 0) return part
    const Part = part.startsWith('`') ? Code : 'em'
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
    return <Part key={index}>{part.slice(1, -1)}</Part>
  })
