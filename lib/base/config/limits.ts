/** The limits of the GraphQL API. They are passed to the handler as a parameter, so that tests can use smaller limits. */
export const graphqlLimits = {
  /** The maximum depth, number of aliases, and cost in points of a query. */
  depth: 12,
  aliases: 30,
  cost: 5_000,
  /** The maximum cost of a response in points, and the maximum duration of an operation in milliseconds. */
  answerPoints: 50_000,
  timeoutMs: 10_000,
  /** The maximum number of requests without a token per minute and IP address. */
  anonymousPerMinute: 300,
  /** The maximum number of open subscriptions per token and process. */
  subscriptions: 10,
}

export type GraphQLLimits = Readonly<typeof graphqlLimits>

/** The number of clients that an IP address can register: first in a burst, and then per hour. */
export const registrationLimits = { burst: 60, hourly: 20 }
