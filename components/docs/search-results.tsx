import { TextAnchor } from '../ui/text-anchor'
import { P } from './prose'

type Result = { href: string; page: string; heading: string; words: string[] }

/** Where the docs say what was searched for, each with the words around it. */
export function SearchResults({ query, results }: { query: string; results: Result[] }) {
  if (results.length === 0) {
    return (
      <P>
        Nothing in the docs has all of “{query}”. Try fewer words, or the name of an operation such as{' '}
        <TextAnchor href="/docs/search?q=apiTokenCreate">apiTokenCreate</TextAnchor>.
      </P>
    )
  }
  return (
    <ol aria-label="Results" className="grid gap-6">
      {results.map(({ href, page, heading, words }) => (
        <li key={href} className="grid max-w-[72ch] gap-0.5">
          <TextAnchor href={href} className="justify-self-start font-medium">
            {heading || page}
          </TextAnchor>
          {heading && <span className="text-[13px] text-muted">{page}</span>}
          <span className="text-sm">
            {words.map((each, at) =>
              at % 2 === 1 ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the words of one result never change their order
                <mark key={at} className="rounded-[3px] bg-accent-soft px-0.5 text-text">
                  {each}
                </mark>
              ) : (
                each
              ),
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
