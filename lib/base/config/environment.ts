import { z } from 'zod'
import {
  flag,
  integer,
  isOrigin,
  issuer,
  line,
  listenAddress,
  mailbox,
  metricsAddress,
  networks,
  oneOf,
  proxies,
  secret,
  sender,
  sensitiveActionList,
} from './checks'
import { certificate, databaseUrl } from './database-url'
import { instanceSettings } from './instance-settings'

/**
 * The environment variables. `npm run configuration` generates docs/configuration.md from this file and
 * instance-settings.ts.
 */

/** The documentation of a variable. `fallback` replaces the schema's default in the documentation. */
type Documented = { description: string; who: string; fallback?: string }

const documented = <Schema extends z.ZodType>(schema: Schema, meta: Documented): Schema => schema.meta(meta)

const server = {
  PORT: documented(integer(1, 65535).default(3000), {
    description: 'Port of the HTTP server.',
    who: 'all instances',
  }),
  HOST: documented(listenAddress.optional(), {
    description:
      'Address to listen on. `0.0.0.0` accepts connections from other machines over IPv4, and `::` over IPv4 and IPv6.',
    fallback: '`127.0.0.1` and `::1`; `::` in the image',
    who: 'instances whose proxy is on another machine',
  }),
  BASE_URL: documented(
    z
      .url({
        protocol: /^https?$/,
        error: 'must be an http or https address, such as https://login.example.com',
      })
      .refine((value) => !URL.canParse(value) || isOrigin(new URL(value)), {
        error: 'must be an origin without a path, such as https://login.example.com',
      })
      .transform((value) => new URL(value).origin)
      .optional(),
    {
      description: 'Origin that users and apps use. The issuer is `$BASE_URL/oauth`.',
      fallback: '`http://localhost:$PORT`; on Vercel, the address of the deployment',
      who: 'every production instance',
    },
  ),
  TRUST_PROXY: documented(proxies.optional(), {
    description:
      'The proxies whose `X-Forwarded-For` and `X-Request-Id` headers are trusted: the number of proxies in front of the server (`1` for a single load balancer), or their addresses and ranges, separated by commas.',
    fallback: 'none; `1` on Vercel',
    who: 'instances behind a proxy',
  }),
  SHUTDOWN_DELAY: documented(integer(0, 300).default(1), {
    description:
      'Seconds for which the server keeps serving requests after SIGTERM, while `/readyz` returns 503, so that load balancers stop sending traffic. The server then exits within another eight seconds.',
    who: 'instances behind a load balancer',
  }),
  CRON_SECRET: documented(secret(16).optional(), {
    description:
      'Secret that a scheduler sends to `/api/cron` to start background jobs. At least 16 characters ([vercel.md](deploy/vercel.md)).',
    fallback: '`/api/cron` is off',
    who: 'Vercel',
  }),
  DATA_DIR: documented(line.default('.data'), {
    description: 'Directory of the embedded database and its encryption key.',
    who: 'instances with the embedded database',
  }),
  ENV_FILE: documented(line.default('.env'), {
    description:
      'File with environment variables. The server and the `latchkey` command read it when they start. Variables in the environment take precedence. Empty: no file is read.',
    who: 'systemd',
  }),
}

const database = {
  DATABASE_URL: documented(databaseUrl, {
    description:
      'URL of the PostgreSQL database: `postgresql://user:password@host:5432/database`. If the URL lists several servers, such as `host1:5432,host2:5432`, Latchkey finds the one that accepts writes. `?sslmode=` works as in libpq. `?pgbouncer=true` is for poolers in transaction mode that do not support prepared statements ([database.md](operate/database.md)).',
    fallback: 'embedded PostgreSQL',
    who: 'every production instance',
  }),
  DATABASE_DIRECT_URL: documented(databaseUrl.optional(), {
    description:
      'URL of the same database without the pooler. Migrations need this connection because they hold a session lock.',
    fallback: '`DATABASE_URL`',
    who: 'instances with a pooler',
  }),
  DATABASE_CA: documented(certificate.optional(), {
    description:
      'Certificate, in PEM format, of the authority that signed the database’s certificate. If `DATABASE_URL` has no `sslmode`, `verify-full` applies.',
    fallback: 'the authorities that Node trusts',
    who: 'databases with their own certificate authority',
  }),
  DATABASE_POOL: documented(integer(1, 200).default(10), {
    description: 'Maximum number of database connections per process, at least 3.',
    fallback: '`10`; `4` on Vercel',
    who: 'large instances',
  }),
  DATABASE_TIMEOUT: documented(integer(0, 3600).default(10), {
    description:
      'Maximum duration of a statement in seconds. With `0`, Latchkey sets no limit. Use `0` for poolers that reject `statement_timeout`.',
    who: 'instances with a pooler',
  }),
  MIGRATE: documented(flag.optional(), {
    description:
      '`1` applies migrations at startup. With `0`, you must run `latchkey migrate`, and the server does not start while a migration is pending.',
    fallback: '`1`',
    who: 'clusters with a migration job',
  }),
}

const secrets = {
  SECRET_KEY: documented(
    secret(32, ', and move the old value to SECRET_KEY_PREVIOUS if data is encrypted with it'),
    {
      description:
        'Key that encrypts cookies and stored secrets. At least 32 characters; `openssl rand -hex 32` generates a value. Required with `DATABASE_URL`.',
      fallback: 'generated and stored in `DATA_DIR`',
      who: 'every production instance',
    },
  ),
  SECRET_KEY_PREVIOUS: documented(
    z
      .string()
      .transform((value) => value.split(',').map((key) => key.trim()))
      .refine((keys) => keys.every((key) => key.length >= 32), {
        error: 'must be former values of SECRET_KEY, each of at least 32 characters, separated by commas',
      })
      .default([]),
    {
      description:
        'Former values of `SECRET_KEY`, separated by commas, for decrypting older data ([secrets.md](operate/secrets.md)).',
      who: 'instances that change `SECRET_KEY`',
    },
  ),
}

const firstUsers = {
  ADMIN_EMAIL: documented(mailbox.optional(), {
    description:
      'Email address of the first instance admin, whose account is created at the first startup ([commands.md](operate/commands.md)).',
    who: 'unattended installations',
  }),
  ADMIN_PASSWORD_FILE: documented(line.optional(), {
    description:
      'File with the password of the user in `ADMIN_EMAIL`. The file is not read if the instance already has an instance admin.',
    who: 'unattended installations',
  }),
  SEED_DEMO: documented(flag.default(false), {
    description:
      'Creates the demo users and their workspaces in a database without users. `latchkey remove-demo` removes them.',
    fallback: '`1` with the embedded database, otherwise `0`',
    who: 'demos',
  }),
  DEMO_PASSWORD: documented(line.optional(), {
    description:
      'Password of the demo users. Required with `SEED_DEMO=1`, except with `npm start`, which generates a random password and prints it once.',
    fallback: 'random with `npm start`',
    who: 'demos',
  }),
}

const email = {
  SMTP_URL: documented(
    z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
    {
      description:
        'Mail server: `smtp://user:password@host:587`. With demo data and no mail server, `/dev/mailbox` shows the emails, but only to browsers on the same machine.',
      fallback: 'no emails',
      who: 'every production instance',
    },
  ),
  MAIL_FROM: documented(sender.optional(), {
    description: 'Sender of emails, such as `Example <no-reply@example.com>`.',
    fallback: '`no-reply` at the host of `BASE_URL`',
    who: 'every production instance',
  }),
}

const provider = (name: string, prefix: string) => ({
  id: {
    description: `Client ID for sign-in with ${name}.`,
    fallback: 'off',
    who: `instances with sign-in through ${name}`,
  },
  secret: {
    description: `Client secret for sign-in with ${name}.`,
    fallback: 'off',
    who: `instances that set \`${prefix}_CLIENT_ID\``,
  },
})

const github = provider('GitHub', 'GITHUB')
const google = provider('Google', 'GOOGLE')
const openid = provider('the provider in `OIDC_ISSUER`', 'OIDC')

const signIn = {
  GITHUB_CLIENT_ID: documented(line.optional(), github.id),
  GITHUB_CLIENT_SECRET: documented(line.optional(), github.secret),
  GOOGLE_CLIENT_ID: documented(line.optional(), google.id),
  GOOGLE_CLIENT_SECRET: documented(line.optional(), google.secret),
  OIDC_ISSUER: documented(issuer.optional(), {
    description:
      'Issuer URL of another OpenID Connect provider. `oidcName` below sets the label of the sign-in button.',
    fallback: 'off',
    who: 'instances with sign-in through another OpenID Connect provider',
  }),
  OIDC_CLIENT_ID: documented(line.optional(), openid.id),
  OIDC_CLIENT_SECRET: documented(line.optional(), openid.secret),
}

const policy = {
  LATCHKEY_SETTINGS: documented(z.string().optional(), {
    description: 'Instance settings: JSON, or the path of a JSON file (see below).',
    fallback: 'none',
    who: 'unattended installations',
  }),
  RESOURCES_FILE: documented(line.optional(), {
    description:
      'Path of a JSON file with the platform’s APIs ([format](operate/apis.md)). The server checks and applies it at startup.',
    fallback: 'none',
    who: 'platforms that keep their APIs in a repository',
  }),
  REQUIRE_TWO_FACTOR: documented(instanceSettings.shape.requireTwoFactor.unwrap().optional(), {
    description:
      'Who must use two-factor authentication: `none`, `instance-admins` (before they open `/admin`), or `all`. If set, instance admins cannot change this setting in the console.',
    fallback: '`none`',
    who: 'organizations that require two-factor authentication',
  }),
  WORKSPACE_APPS: documented(instanceSettings.shape.workspaceApps.unwrap().optional(), {
    description:
      'Apps that can access a new workspace until its admins choose: `open` (all apps), `approved` (apps its admins approved), or `own` (its own apps). If set, instance admins cannot change this setting in the console.',
    fallback: '`open`',
    who: 'organizations that restrict apps',
  }),
  REQUIRE_APPROVAL: documented(sensitiveActionList.default([]), {
    description:
      'Sensitive actions for which an app needs the user’s approval in every workspace, in addition to those that a workspace chooses: `all`, or some of `project:delete`, `project:transfer`, `project:read-values`, `project:write-variables`, `workspace:manage-members`, `workspace:manage-apps`, `workspace:manage-secrets`, `workspace:manage-webhooks`, `workspace:manage-tokens`, `workspace:restore-projects`, `workspace:update`, `workspace:delete`, `account:manage-ssh-keys`, separated by commas.',
    who: 'organizations that require approval for some actions',
  }),
  RATE_LIMIT_PER_HOUR: documented(integer(1).default(10_000), {
    description:
      'Maximum number of GraphQL requests per hour and token. Each mutation in an operation counts as one request. All API tokens of a user together can make five times as many requests.',
    who: 'instances whose clients need a higher limit',
  }),
  AUDIT_DAYS: documented(integer(1, 36_500).optional(), {
    description: 'Number of days for which audit events are kept ([audit.md](operate/audit.md)).',
    fallback: 'unlimited',
    who: 'organizations that limit how long audit events are kept',
  }),
  AUDIT_STREAM_NETWORKS: documented(networks.default([]), {
    description:
      'Private networks, such as `10.0.0.0/8`, separated by commas, that the instance’s audit stream can reach.',
    who: 'log collectors in a private network',
  }),
}

const observability = {
  /**
   * lib/base/log also reads this variable directly, because log entries can be written before the settings
   * are checked.
   */
  LOG_LEVEL: documented(oneOf('debug', 'info', 'warn', 'error').optional(), {
    description: 'Lowest level that is logged: `debug`, `info`, `warn`, or `error`.',
    fallback: '`info`',
    who: 'debugging',
  }),
  ACCESS_LOG: documented(flag.optional(), {
    description: '`1` logs each request, and `0` logs no requests ([logs.md](operate/logs.md)).',
    fallback: '`1` if the log is JSON, `0` in a terminal',
    who: 'instances whose proxy logs requests',
  }),
  METRICS_PORT: documented(metricsAddress.optional(), {
    description:
      'Port of the Prometheus metrics at `/metrics`. `9464` accepts connections only from the same machine, and `0.0.0.0:9464` or `[::]:9464` also from others ([metrics.md](operate/metrics.md)).',
    fallback: 'off',
    who: 'Prometheus',
  }),
}

/** The variables by topic, in the order of the documentation. */
export const variableGroups: Readonly<Record<string, Record<string, z.ZodType>>> = {
  Server: server,
  Database: database,
  Secrets: secrets,
  'First users': firstUsers,
  Email: email,
  'Sign-in providers': signIn,
  Policy: policy,
  'Logs and metrics': observability,
}

export const environment = z.object({
  ...server,
  ...database,
  ...secrets,
  ...firstUsers,
  ...email,
  ...signIn,
  ...policy,
  ...observability,
})

/** The names of all variables in `environment`. */
export const variableNames: readonly string[] = Object.keys(environment.shape)
