import { ShieldCheck } from 'lucide-react'
import { ListSearch } from '../lists/list-search'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { TextLink } from '../ui/text-link'
import { InstalledTable, type ListedInstalled } from './installed-table'

/** Installed apps with a search, which a short list needs none of, and the way to the tokens that reach in. */
export function InstalledSection({
  apps,
  path,
  tokensHref,
  search,
  searchable,
}: {
  apps: ListedInstalled[]
  path: string
  tokensHref: string
  search: string
  searchable: boolean
}) {
  return (
    <div>
      {searchable && (
        <div className="mb-4 flex">
          <ListSearch path={path} label="Search apps and requests" value={search} />
        </div>
      )}
      <Section
        title="Installed apps"
        description="Apps that members let in, and those you decided about. Tokens that members made themselves are not apps."
        action={<TextLink href={tokensHref}>Tokens that reach in</TextLink>}
        flush
      >
        {apps.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={search ? 'No app matches' : 'No apps yet'}>
            An app appears here once a member has let it in.
          </EmptyState>
        ) : (
          <InstalledTable apps={apps} path={path} />
        )}
      </Section>
    </div>
  )
}
