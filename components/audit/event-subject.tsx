/** What something was done to: its name, and the project it is in; the id on hover, and alone where no name is known. */
export function EventSubject({
  id,
  name,
  project,
}: {
  id: string
  name: string | null
  project: string | null
}) {
  if (!name) {
    return (
      <span title={id} className="font-mono text-[13px] text-muted">
        {id}
      </span>
    )
  }
  return (
    <span title={`${name} (${id})`}>
      <bdi className="font-medium">{name}</bdi>
      {project && <span className="text-muted"> in {project}</span>}
    </span>
  )
}
