import { config } from '@/lib/base/config/env'
import { graphqlLimits, registrationLimits } from '@/lib/base/config/limits'
import { maxTokens } from '@/lib/features/api-tokens/create-api-token'
import { keyHours, maxKeys } from '@/lib/features/api-tokens/idempotency-keys'
import { factorRequestsPerHour } from '@/lib/features/approvals/factor-approvals'
import { exportsPerHour } from '@/lib/features/audit/export-events'
import { tokensWorth } from '@/lib/features/figures/count-usage'
import { maxProjects } from '@/lib/features/projects/create-project'
import { maxEnvironments } from '@/lib/features/projects/environments'
import { maxWorkspaces } from '@/lib/features/workspaces/create-workspace'

export type Limit = { what: string; value: string; answer: string }

const number = (value: number) => value.toLocaleString('en-GB')

/** What is limited, by how much, and what happens past it; numbers of the settings are read from there. */
export function describeLimits(): { graphql: Limit[]; oauth: Limit[] } {
  const { RATE_LIMIT_PER_HOUR } = config()
  return {
    graphql: [
      {
        what: 'Requests with one API token, or of one app for one person',
        value: `${number(RATE_LIMIT_PER_HOUR)} an hour`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Requests with all API tokens of one person',
        value: `${number(RATE_LIMIT_PER_HOUR * tokensWorth)} an hour`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Requests without a token',
        value: `${number(graphqlLimits.anonymousPerMinute)} a minute from one address`,
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
        what: 'Points of an answer',
        value: number(graphqlLimits.answerPoints),
        answer: 'QUERY_TOO_COMPLEX, status 200, data null',
      },
      {
        what: 'Time of an operation',
        value: `${number(graphqlLimits.timeoutMs / 1000)} seconds`,
        answer: 'QUERY_TOO_COMPLEX, status 200, data null',
      },
      {
        what: 'Different Idempotency-Keys of one token, or of one app for one person',
        value: `${number(maxKeys)} in ${keyHours} hours`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Subscriptions open with one API token, or of one app for one person',
        value: `${number(graphqlLimits.subscriptions)}; with all API tokens of one person ${number(graphqlLimits.subscriptions * tokensWorth)}`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Operations in a request, and messages in a request to /mcp',
        value: '1, no batches',
        answer: 'BAD_REQUEST, status 400',
      },
      {
        what: 'Mutations in an operation',
        value: 'each counts as a request',
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Data in the answer of a tool',
        value: '1,048,576 characters of JSON',
        answer: 'QUERY_TOO_COMPLEX in the answer of the tool',
      },
      {
        what: 'Exports of audit logs by one person',
        value: `${number(exportsPerHour)} an hour`,
        answer: 'RATE_LIMITED, status 429, with Retry-After',
      },
      {
        what: 'Questions of all tokens of one person about second factors',
        value: `${number(factorRequestsPerHour)} an hour`,
        answer: 'APPROVAL_REQUIRED without an address, with retryAfter',
      },
      { what: 'Live tokens of one person', value: number(maxTokens), answer: 'CONFLICT' },
      { what: 'Workspaces of one administrator', value: number(maxWorkspaces), answer: 'CONFLICT' },
      { what: 'Projects of one workspace', value: number(maxProjects), answer: 'CONFLICT' },
      { what: 'Environments of one project', value: number(maxEnvironments), answer: 'CONFLICT' },
    ],
    oauth: [
      {
        what: 'Registrations from one address',
        value: `${registrationLimits.burst} at once, then ${registrationLimits.hourly} an hour`,
        answer: 'Status 429 with Retry-After',
      },
      { what: 'Size of a registration', value: '8 KiB', answer: 'invalid_client_metadata, status 413' },
      {
        what: 'Pushed authorization requests, and device authorization requests, without credentials or by a self-registered app',
        value: '60 a minute from one address, 3,000 a minute of one app',
        answer: 'temporarily_unavailable, status 429, with Retry-After',
      },
      {
        what: 'The same by another app that authenticates',
        value: '300 a minute of one app, 600 a minute from one address',
        answer: 'temporarily_unavailable, status 429, with Retry-After',
      },
      {
        what: 'Size of such a request, and of one of its parameters',
        value: '16 KiB, 4,096 characters',
        answer: 'invalid_request, status 413 or 400',
      },
      {
        what: 'Authorization requests, and sign-out requests, of browsers that are not signed in',
        value: '300 a minute from one address, each',
        answer: 'A page, status 429, with Retry-After',
      },
      { what: 'Redirect URIs of a client', value: '10', answer: 'invalid_redirect_uri' },
      { what: 'Polling in the device flow', value: 'every 5 seconds', answer: 'slow_down' },
      { what: 'Live refresh tokens of one authorization', value: '100', answer: 'The oldest stops working' },
      {
        what: 'Sign-in tries',
        value: '20 a minute from one address, 10 an hour for one account',
        answer: 'The form asks to wait',
      },
    ],
  }
}
