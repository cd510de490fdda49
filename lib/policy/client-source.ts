/** Where a client comes from, told by its id: no lookup, and no room for a mistake between the two. */
export const clientSource = (clientId: string): 'SETTINGS' | 'DYNAMIC' | 'METADATA_DOCUMENT' =>
  clientId.startsWith('https://')
    ? 'METADATA_DOCUMENT'
    : clientId.startsWith(dynamicPrefix)
      ? 'DYNAMIC'
      : 'SETTINGS'

/** Whether anybody can bring such a client, so that nobody here answers for its name and its addresses. */
export const isUnverifiedKind = (clientId: string): boolean => clientSource(clientId) !== 'SETTINGS'

/** How the id of a client that registers itself begins. */
export const dynamicPrefix = 'dyn_'
