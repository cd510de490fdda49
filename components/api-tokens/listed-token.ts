import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import type { TokenInList } from '@/lib/features/api-tokens/search-tokens'
import { roleNames } from '../members/role-select'
import type { ListedToken } from './token-table'

/** A token of a workspace or of one of its projects in the words of its row. */
export const listedToken = ({ person, project, role, ...token }: TokenInList): ListedToken => ({
  ...token,
  display: displayToken(token),
  reach: project ? `Project ${project}` : 'Workspace',
  role: roleNames[role],
  by: person,
})
