import { isAppError } from '@/lib/base/errors/app-error'
import type { FormFields } from '@/lib/base/http/body'
import { createProject } from '@/lib/features/projects/create-project'
import type { SessionActor } from '@/lib/policy/actor'

/**
 * Makes the first project of somebody who has none, from the form of the consent or the device page.
 * @param form `project-name`, and `in`, the id of its workspace
 * @returns the project's id, or what was wrong: its `name`, or something `else`
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function projectFromForm(
  actor: SessionActor,
  form: FormFields,
): Promise<{ made?: string; refused?: 'name' | 'else' }> {
  try {
    const { id } = await createProject(actor, { workspaceId: form.in, name: form['project-name'] ?? '' })
    return { made: id }
  } catch (error) {
    if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return { refused: error.code === 'BAD_USER_INPUT' ? 'name' : 'else' }
  }
}
