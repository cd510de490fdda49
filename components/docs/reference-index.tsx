import { TextAnchor } from '../ui/text-anchor'
import { Words } from './prose'

type Line = { name: string; description: string }

/** The operations of a noun in a line each, with what they do in a sentence; an address that names one of them leads here. */
export function ReferenceIndex({ href, entries }: { href: string; entries: Line[] }) {
  return (
    <ul className="grid gap-1.5 text-sm leading-5">
      {entries.map(({ name, description }) => (
        <li
          key={name}
          id={name}
          className="grid scroll-mt-20 gap-x-3 target:bg-raised sm:grid-cols-[16rem_1fr]"
        >
          <span className="font-mono text-[13px] break-all">
            <TextAnchor href={`${href}#${name}`}>{name}</TextAnchor>
          </span>
          <span className="text-muted">
            <Words text={firstSentence(description)} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text
