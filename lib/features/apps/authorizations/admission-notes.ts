import { type Admission, admittedToProject, admittedToWorkspace } from '@/lib/policy/app-policy'
import { type Role, reaches, roleFromScopes } from '@/lib/policy/scopes'

/** What people are told of a workspace or project that does not let an app in, or not so far; in few words. */
export type AdmissionNote = {
  text: string
  /** Nothing can be shared here. */
  closed: boolean
  /** An admin can be asked. */
  askable: boolean
}

const closedNotes = {
  blocked: { text: 'Blocked here', closed: true, askable: false },
  'own-apps-only': { text: 'Own apps only', closed: true, askable: false },
  'not-approved': { text: 'Needs approval', closed: true, askable: true },
  ended: { text: 'Approval has ended', closed: true, askable: true },
} as const

const most: Record<Role, string> = { VIEWER: 'at most viewer', MEMBER: 'at most member', ADMIN: '' }

/** @returns undefined where the app comes in as far as its scopes go */
export function workspaceNote(admission: Admission, scopes: readonly string[]): AdmissionNote | undefined {
  return noteOf(admission, admittedToWorkspace(admission), roleFromScopes(new Set(scopes), 'workspace'))
}

/** The same for a project of the workspace. */
export function projectNote(
  admission: Admission,
  projectId: string,
  scopes: readonly string[],
): AdmissionNote | undefined {
  const asked = roleFromScopes(new Set(scopes), 'project')
  return noteOf(admission, admittedToProject(admission, projectId), asked)
}

function noteOf(admission: Admission, admitted: Role | undefined, asked: Role | undefined) {
  if (admission.kind === 'closed') return closedNotes[admission.reason]
  if (!admitted) return { text: 'Not in the approval', closed: true, askable: true }
  if (!asked || reaches(admitted, asked)) return undefined
  return { text: most[admitted], closed: false, askable: true }
}
