import { apiTokenTools } from '@/lib/features/api-tokens/tools'
import { appTools } from '@/lib/features/apps/tools'
import { auditTools } from '@/lib/features/audit/tools'
import { identityTools } from '@/lib/features/identity/tools'
import { notificationTools } from '@/lib/features/notifications/tools'
import { environmentTools, projectTools, variableTools } from '@/lib/features/projects/tools'
import { searchTools } from '@/lib/features/search/tools'
import { workspaceTools } from '@/lib/features/workspaces/tools'
import type { AgentTool } from '@/lib/policy/permissions'

/** Every tool that is an operation, in the order agents read them. A noun of your own adds its list here (docs/extending.md). */
export const allTools: readonly AgentTool[] = [
  ...identityTools,
  ...searchTools,
  ...workspaceTools,
  ...projectTools,
  ...environmentTools,
  ...variableTools,
  ...appTools,
  ...apiTokenTools,
  ...auditTools,
  ...notificationTools,
]
