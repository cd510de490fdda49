/** The limits of the GraphQL API. The handler takes them as a parameter, so that a test can serve the API with smaller ones. */
export const graphqlLimits = {
  /** How many levels a query may nest, how many aliases it may use, and how many points it may cost. */
  depth: 12,
  aliases: 30,
  cost: 5_000,
  /** How many points an answer may come to, and how many milliseconds an operation may take. */
  answerPoints: 50_000,
  timeoutMs: 10_000,
  /** How many requests a minute an address may send without a token. */
  anonymousPerMinute: 300,
  /** How many subscriptions a token may have open in one process. */
  subscriptions: 10,
}

export type GraphQLLimits = Readonly<typeof graphqlLimits>

/** How many clients an address can register in one burst, and then per hour. */
export const registrationLimits = { burst: 60, hourly: 20 }
