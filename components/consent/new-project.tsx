import { FolderPlus } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { Button } from '../ui/button'
import { SelectField, TextField } from '../ui/field'

export type NewProjectPlace = { id: string; name: string }

/**
 * In place of an empty list: a first project, made right here. It stands in the form of the decision and before its
 * buttons, so that Enter in its field makes the project and authorizes nothing.
 */
export function NewProject({
  say,
  appName,
  wants,
  places,
  error,
}: {
  say: Say
  appName: string
  wants: 'workspace' | 'project'
  /** Workspaces where the person may make one that the app could use. */
  places: NewProjectPlace[]
  error?: string | undefined
}) {
  const [only] = places
  if (wants === 'workspace' || !only)
    return (
      <p className="rounded-card border border-dashed bg-background px-4 py-5 text-center text-muted text-sm">
        {say(wants === 'workspace' ? 'reach.noWorkspace' : 'reach.noProject', { app: appName })}
      </p>
    )
  return (
    <div className="grid justify-items-center gap-4 rounded-card border border-dashed bg-background px-5 py-7">
      <div className="grid justify-items-center gap-1 text-center">
        <FolderPlus aria-hidden className="mb-1 size-6 text-muted" />
        <h3 className="font-semibold text-[15px]">{say('project.none')}</h3>
        <p className="text-muted text-sm">{say('project.noneWhy', { app: appName })}</p>
      </div>
      <div className="grid w-full max-w-sm gap-3">
        {places.length === 1 ? (
          <input type="hidden" name="in" value={only.id} />
        ) : (
          <SelectField label={say('project.in')} name="in">
            {places.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={say('project.name')}
          name="project-name"
          maxLength={80}
          defaultValue={say('project.first')}
          error={error}
        />
        <Button type="submit" name="decision" value="create">
          {say('project.create')}
        </Button>
      </div>
    </div>
  )
}
