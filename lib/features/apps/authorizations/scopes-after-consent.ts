import { needsSelection, resourceOf } from '@/lib/policy/scopes'

/**
 * What an authorization allows once a person has consented to a request. What the request asks about a kind of resource
 * takes the place of what was allowed on that kind before, as its selection does: the two belong together, so a weaker
 * consent raises nothing, and neither does what was shared under a stronger one. Everything else stays: scopes about the
 * person, and the kind of resource that the request does not ask about, with its selection.
 * See decision 066.
 * @param asked the scopes of the request
 * @param earlier the scopes allowed until now
 */
export const scopesAfterConsent = (asked: readonly string[], earlier: readonly string[]): string[] => {
  const kept = earlier.filter((scope) => {
    const resource = resourceOf(scope)
    return !resource || !needsSelection(asked, resource)
  })
  return [...new Set([...kept, ...asked])]
}
