import type { Say } from '@/lib/base/language/say'
import type { Scope } from '@/lib/policy/scopes'
import { scopeSentence } from './scope-permissions'

type Props = {
  say: Say
  appName: string
  kept: {
    scopes: readonly Scope[]
    workspaces: { id: string; name: string }[]
    projects: { id: string; name: string; workspaceName: string }[]
  }
  lost: readonly Scope[]
}

/** What becomes of what an app was allowed before: with it, the page says all that is in force afterwards. */
export function EarlierAccess({ say, appName, kept, lost }: Props) {
  const shared = [
    ...kept.workspaces.map(({ name }) => name),
    ...kept.projects.map(({ name, workspaceName }) =>
      say('earlier.projectIn', { project: name, workspace: workspaceName }),
    ),
  ]
  return (
    <>
      {kept.scopes.length > 0 && (
        <Sentences say={say} title={say('earlier.keeps', { app: appName })} scopes={kept.scopes}>
          {shared.length > 0 && (
            <li className="text-muted">{say('earlier.selected', { names: listed(say, shared) })}</li>
          )}
        </Sentences>
      )}
      {lost.length > 0 && (
        <Sentences say={say} title={say('earlier.loses', { app: appName })} scopes={lost} />
      )}
    </>
  )
}

const listed = (say: Say, names: string[]) =>
  new Intl.ListFormat(say.language, { type: 'unit' }).format(names)

function Sentences({
  say,
  title,
  scopes,
  children,
}: {
  say: Say
  title: string
  scopes: readonly Scope[]
  children?: React.ReactNode
}) {
  return (
    <section aria-label={title} className="grid gap-1.5 text-sm leading-5">
      <h2 className="font-semibold">{title}</h2>
      <ul className="grid gap-1">
        {scopes.map((scope) => (
          <li key={scope}>{scopeSentence(say, scope)}</li>
        ))}
        {children}
      </ul>
    </section>
  )
}
