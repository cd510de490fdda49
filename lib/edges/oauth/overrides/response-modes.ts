import { Provider } from 'oidc-provider'
import { formPostPage } from '../pages/form-post-page'
import { leavesUnasked, showErrorOnTheWay } from '../pages/leave-knowingly'

type Answer = Parameters<typeof showErrorOnTheWay>[4]

/**
 * oidc-provider with our own authorization responses: `form_post` by our own page, and a page that names the destination before a
 * redirect to an untrusted address. It registers its response modes in its constructor.
 */
export class ProviderWithOwnPages extends Provider {
  override registerResponseMode(name: string, engines: never): void {
    const answer: Answer = name === 'form_post' ? formPostPage : engines
    const guarded: Answer = async (ctx, redirectUri, parameters) =>
      (await leavesUnasked(ctx, parameters))
        ? showErrorOnTheWay(ctx, name, redirectUri, parameters, answer)
        : answer(ctx, redirectUri, parameters)
    super.registerResponseMode(name, guarded as never)
  }
}
