import * as actions from './stream-actions'

/**
 * The actions for the audit log stream pages of workspaces and of the instance. This object is in a separate
 * file, because a file of server actions can export only server actions.
 */
export const streamPageActions = {
  create: actions.createStreamAction,
  update: actions.updateStreamAction,
  change: actions.switchStreamAction,
  retry: actions.retryStreamAction,
  rotate: actions.rotateStreamSecretAction,
  remove: actions.deleteStreamAction,
}
