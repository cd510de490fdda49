import * as actions from './stream-actions'

/** What the page of a stream does, whosever audit log it sends. A file of server actions may export nothing but those. */
export const streamPageActions = {
  create: actions.createStreamAction,
  update: actions.updateStreamAction,
  change: actions.switchStreamAction,
  retry: actions.retryStreamAction,
  rotate: actions.rotateStreamSecretAction,
  remove: actions.deleteStreamAction,
}
