import { Checkbox, ChoiceGroup } from '../ui/choice'
import { cn } from '../ui/cn'

/** Selects projects. If none is checked, the selection is the whole workspace. */
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
      legend="Projects"
      hint="Leave empty to allow the whole workspace, including future projects."
      error={error}
    >
      <div
        className={cn(
          'grid gap-2.5',
          // A scrollable list has a border, and space for the focus ring.
          projects.length > 8 && 'max-h-64 overflow-y-auto rounded-control border p-3',
        )}
      >
        {projects.map(({ id, name }) => (
          <Checkbox key={id} label={name} name="projectIds" value={id} defaultChecked={chosen.includes(id)} />
        ))}
      </div>
    </ChoiceGroup>
  )
}

/** Returns a sentence for each scope of an installed app. */
export const installSentences: Record<string, string> = {
  'workspace:member': 'Read and write the workspace and its projects, and read the names of its members',
  'workspace:viewer': 'Read the workspace, its projects and the names of its members',
  'project:member': 'Read and write the projects',
  'project:viewer': 'Read the projects',
}
