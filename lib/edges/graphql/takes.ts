import { type Permission, permissions } from '@/lib/policy/permissions'

/** The sentence of a description that says which role an operation takes, without its full stop. */
export const takes = (permission: Permission): string => `Takes the role ${permissions[permission].role}`
