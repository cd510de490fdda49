import { config } from '@/lib/base/config/env'
import { graphqlLimits, registrationLimits } from '@/lib/base/config/limits'
import { maxTokens } from '@/lib/features/api-tokens/create-api-token'
import { keyHours, maxKeys } from '@/lib/features/api-tokens/idempotency-keys'
import { factorRequestsPerHour } from '@/lib/features/approvals/factor-approvals'
import { maxApps } from '@/lib/features/apps/create-app'
import { exportsPerHour } from '@/lib/features/audit/export-events'
import { tokensPerUserLimit } from '@/lib/features/figures/count-usage'
import { maxProjects } from '@/lib/features/projects/create-project'
import { maxEnvironments } from '@/lib/features/projects/environments'
import { maxWorkspaces } from '@/lib/features/workspaces/create-workspace'

export type Limit = { what: string; value: string; answer: string }

const number = (value: number) => value.toLocaleString('en-GB')

/**
 * Returns the limits that the documentation lists, with their values and the responses to requests that
 * exceed them. Configurable values come from the settings.
 */
export function describeLimits(): { graphql: Limit[]; oauth: Limit[] } {
  const { RATE_LIMIT_PER_HOUR } = config()
  return {
    graphql: [
      {
        what: 'Requests with one API token, or by one app on behalf of one user',
        value: `${number(RATE_LIMIT_PER_HOUR)} per hour`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Requests with all API tokens of one user',
        value: `${number(RATE_LIMIT_PER_HOUR * tokensPerUserLimit)} per hour`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Requests without a token',
        value: `${number(graphqlLimits.anonymousPerMinute)} per minute and IP address`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      { what: 'Size of a request', value: '128 KiB', answer: 'BAD_REQUEST, status 400' },
      {
        what: 'Depth of a query',
        value: `${number(graphqlLimits.depth)} levels`,
        answer: 'QUERY_TOO_COMPLEX, status 400',
      },
      {
        what: 'Aliases in a query',
        value: number(graphqlLimits.aliases),
        answer: 'QUERY_TOO_COMPLEX, status 400',
      },
      {
        what: 'Cost of a query',
        value: `${number(graphqlLimits.cost)} points`,
        answer: 'QUERY_TOO_COMPLEX, status 400',
      },
      {
        what: 'Fields and fragments in a query',
        value: '500',
        answer: 'QUERY_TOO_COMPLEX, status 400',
      },
      { what: 'Length of an alias', value: '100 characters', answer: 'QUERY_TOO_COMPLEX, status 400' },
      {
        what: 'Cost of a response',
        value: `${number(graphqlLimits.answerPoints)} points`,
        answer: 'QUERY_TOO_COMPLEX, status 200, data null',
      },
      {
        what: 'Duration of an operation',
        value: `${number(graphqlLimits.timeoutMs / 1000)} seconds`,
        answer: 'QUERY_TOO_COMPLEX, status 200, data null',
      },
      {
        what: 'Idempotency-Keys per token, or per app and user',
        value: `${number(maxKeys)} in ${keyHours} hours`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Open subscriptions with one API token, or by one app on behalf of one user',
        value: `${number(graphqlLimits.subscriptions)}, and ${number(graphqlLimits.subscriptions * tokensPerUserLimit)} with all API tokens of one user`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Operations per request, and messages per request to /mcp',
        value: '1 (no batches)',
        answer: 'BAD_REQUEST, status 400',
      },
      {
        what: 'Multiple mutations in one operation',
        value: 'each counts as one request',
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Data in a tool result',
        value: '1,048,576 characters of JSON',
        answer: 'QUERY_TOO_COMPLEX in the tool result',
      },
      {
        what: 'Audit log exports per user',
        value: `${number(exportsPerHour)} per hour`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Two-factor approval requests per user',
        value: `${number(factorRequestsPerHour)} per hour`,
        answer: 'APPROVAL_REQUIRED without approvalUrl, with retryAfter',
      },
      { what: 'Active tokens per user', value: number(maxTokens), answer: 'CONFLICT' },
      { what: 'Workspaces per admin', value: number(maxWorkspaces), answer: 'CONFLICT' },
      { what: 'OAuth apps per workspace', value: number(maxApps), answer: 'CONFLICT' },
      { what: 'Projects per workspace', value: number(maxProjects), answer: 'CONFLICT' },
      { what: 'Environments per project', value: number(maxEnvironments), answer: 'CONFLICT' },
    ],
    oauth: [
      {
        what: 'Client registrations from one IP address',
        value: `${registrationLimits.burst} in a burst, then ${registrationLimits.hourly} per hour`,
        answer: 'Status 429 with Retry-After',
      },
      {
        what: 'Size of a client registration',
        value: '8 KiB',
        answer: 'invalid_client_metadata, status 413',
      },
      {
        what: 'Pushed authorization requests and device authorization requests, without credentials or from a self-registered app',
        value: '60 per minute and IP address, 3,000 per minute and app',
        answer: 'temporarily_unavailable, status 429, with Retry-After',
      },
      {
        what: 'The same requests from any other app that authenticates',
        value: '300 per minute and app, 600 per minute and IP address',
        answer: 'temporarily_unavailable, status 429, with Retry-After',
      },
      {
        what: 'Size of the pushed and device authorization requests, and of a single parameter',
        value: '16 KiB, and 4,096 characters',
        answer: 'invalid_request, status 413 or 400',
      },
      {
        what: 'Authorization requests and sign-out requests from browsers that aren’t signed in',
        value: '300 of each kind per minute and IP address',
        answer: 'An error page, status 429, with Retry-After',
      },
      { what: 'Redirect URIs per client', value: '10', answer: 'invalid_redirect_uri' },
      { what: 'Polling in the device flow', value: 'every 5 seconds', answer: 'slow_down' },
      {
        what: 'Active refresh tokens per authorization',
        value: '100',
        answer: 'The oldest token stops working',
      },
      {
        what: 'Sign-in attempts',
        value: '20 per minute and IP address, 10 per hour and account',
        answer: 'The form shows an error message',
      },
    ],
  }
}
