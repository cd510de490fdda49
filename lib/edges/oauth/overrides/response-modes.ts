import { Provider } from 'oidc-provider'
import { formPostPage } from '../pages/form-post-page'
import { leavesUnasked, showErrorOnTheWay } from '../pages/leave-knowingly'

type Answer = Parameters<typeof showErrorOnTheWay>[4]

/**
 * The engine with its ways to answer an authorization request as they are here: `form_post` by our own page, and nobody taken
 * unasked to a stranger's address. It registers its response modes while it is made.
 */
export class ProviderWithOwnPages extends Provider {
  override registerResponseMode(name: string, engines: never): void {
    const answer: Answer = name === 'form_post' ? formPostPage : engines
    const guarded: Answer = (ctx, redirectUri, parameters) =>
      leavesUnasked(ctx, parameters)
        ? showErrorOnTheWay(ctx, name, redirectUri, parameters, answer)
        : answer(ctx, redirectUri, parameters)
    super.registerResponseMode(name, guarded as never)
  }
}
