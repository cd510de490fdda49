import { config } from '@/lib/base/config/env'
import type { AppPolicy } from '@/lib/generated/prisma/enums'

/** Which apps a new workspace lets in, as the operator set it. */
export const newWorkspacePolicy = (): AppPolicy =>
  (({ everybody: 'OPEN', approved: 'APPROVED', own: 'OWN' }) as const)[config().WORKSPACE_APPS]
