import * as actions from './stream-actions'

/**
 * The actions of the stream pages of workspaces and of the instance. They are in a separate file, because a file of server
 * actions can export only server actions.
 */
export const streamPageActions = {
  create: actions.createStreamAction,
  update: actions.updateStreamAction,
  change: actions.switchStreamAction,
  retry: actions.retryStreamAction,
  rotate: actions.rotateStreamSecretAction,
  remove: actions.deleteStreamAction,
}
