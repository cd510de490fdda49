import { Checkbox, ChoiceGroup } from '../ui/choice'

/** The projects that something is for; none ticked, and it is for the whole workspace. */
export function ProjectChoice({
  projects,
  chosen,
  error,
}: {
  projects: { id: string; name: string }[]
  chosen: readonly string[]
  error: string | undefined
}) {
  if (projects.length === 0) return null
  return (
    <ChoiceGroup
      legend="On projects"
      hint="Tick none for the whole workspace, including projects to come."
      error={error}
    >
      {/* Room for the ring of what has the focus. */}
      <div className="-m-1 grid max-h-64 gap-2.5 overflow-y-auto p-1">
        {projects.map(({ id, name }) => (
          <Checkbox key={id} label={name} name="projectIds" value={id} defaultChecked={chosen.includes(id)} />
        ))}
      </div>
    </ChoiceGroup>
  )
}
