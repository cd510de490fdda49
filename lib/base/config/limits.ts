/** The limits of the GraphQL API. They are passed to the handler as a parameter, so that tests can use smaller limits. */
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
  /** The maximum number of requests without a token per minute and IP address. */
  anonymousPerMinute: 300,
  /** The maximum number of open subscriptions per token and process. */
  subscriptions: 10,
}

export type GraphQLLimits = Readonly<typeof graphqlLimits>

/** The number of clients that an IP address can register: `burst` at first, and then `hourly` per hour. */
export const registrationLimits = { burst: 60, hourly: 20 }
