import { type Scope, scopeTable } from '@/lib/policy/scopes'

type Props = {
  appName: string
  kept: {
    scopes: readonly Scope[]
    workspaces: { id: string; name: string }[]
    projects: { id: string; name: string; workspaceName: string }[]
  }
  lost: readonly Scope[]
}

/** What becomes of what an app was allowed before: with it, the page says all that is in force afterwards. */
export function EarlierAccess({ appName, kept, lost }: Props) {
  const shared = [
    ...kept.workspaces.map(({ name }) => name),
    ...kept.projects.map(({ name, workspaceName }) => `${name} in ${workspaceName}`),
  ]
  return (
    <>
      {kept.scopes.length > 0 && (
        <Sentences title={`${appName} keeps what you allowed before`} scopes={kept.scopes}>
          {shared.length > 0 && <li className="text-muted">Selected then: {shared.join(', ')}</li>}
        </Sentences>
      )}
      {lost.length > 0 && <Sentences title={`${appName} loses what you allowed before`} scopes={lost} />}
    </>
  )
}

function Sentences({
  title,
  scopes,
  children,
}: {
  title: string
  scopes: readonly Scope[]
  children?: React.ReactNode
}) {
  return (
    <section aria-label={title} className="grid gap-1.5 text-sm leading-5">
      <h2 className="font-semibold">{title}</h2>
      <ul className="grid gap-1">
        {scopes.map((scope) => (
          <li key={scope}>{scopeTable[scope].sentence}</li>
        ))}
        {children}
      </ul>
    </section>
  )
}
