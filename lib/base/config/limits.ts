/**
 * The limits of the GraphQL API. The handler receives the limits as a parameter, so that tests can use
 * smaller ones. The limits on depth and aliases are always those listed here.
 */
export const graphqlLimits = {
  /** The maximum depth of a query. */
  depth: 12,
  /** The maximum number of aliases in a query. */
  aliases: 30,
  /** The maximum cost of a query, in points. */
  cost: 5_000,
  /** The maximum cost of a response, in points. */
  answerPoints: 50_000,
  /** The maximum duration of an operation, in milliseconds. */
  timeoutMs: 10_000,
  /** The maximum number of requests without a token per minute, IP address, and process. */
  anonymousPerMinute: 300,
  /**
   * The maximum number of open subscriptions per process with one API token, or by one app on behalf of one
   * user.
   */
  subscriptions: 10,
}

export type GraphQLLimits = Readonly<typeof graphqlLimits>

/**
 * The maximum number of clients that an IP address can register per hour: `burst` if its daily reserve is
 * full, and `hourly` if the reserve is used up.
 */
export const registrationLimits = { burst: 60, hourly: 20 }
