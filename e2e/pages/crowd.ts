/**
 * SQL statements that add rows to the demo data for `npm run screenshots`: about 200 each of workspaces,
 * projects, members, and authorized apps, and a few rows for features that the demo data does not use. The
 * rows are inserted with SQL, because forms would take too long. No other test relies on these rows.
 */
export const crowd: string[] = [
  // 200 workspaces for Ada, with a project in each, and 200 projects in Acme. Every fifth of these workspaces
  // allows only approved apps.
  `INSERT INTO workspaces (id, slug, name, app_policy, updated_at)
   SELECT gen_random_uuid(), 'customer-' || n, ${named('n', 'Harbor', 'Meadow', 'Summit', 'Lantern', 'Quarry')} || ' ' || n,
          CASE WHEN n % 5 = 0 THEN 'APPROVED'::app_policy ELSE 'OPEN' END, now() FROM generate_series(1, 200) n`,
  `INSERT INTO workspace_members (workspace_id, user_id, role)
   SELECT w.id, u.id, (ARRAY['ADMIN', 'MEMBER', 'VIEWER'])[1 + length(w.slug || w.name) % 3]::role
     FROM workspaces w, users u WHERE w.slug LIKE 'customer-%' AND u.email = 'ada@example.com'`,
  `INSERT INTO projects (id, workspace_id, name, updated_at)
   SELECT gen_random_uuid(), id, 'Website of ' || name, now() FROM workspaces WHERE slug LIKE 'customer-%'`,
  `INSERT INTO projects (id, workspace_id, name, updated_at)
   SELECT gen_random_uuid(), id, ${named('n', 'Checkout', 'Search', 'Billing', 'Inventory', 'Reports')} || ' ' || n, now()
     FROM workspaces, generate_series(1, 200) n WHERE slug = 'acme'`,
  // Acme's members.
  `INSERT INTO users (id, name, email, updated_at)
   SELECT gen_random_uuid(), ${named('n', 'Radia', 'Barbara', 'Donald', 'Frances', 'Tim')} || ' Member ' || n,
          'member.' || n || '@example.com', now() FROM generate_series(1, 200) n`,
  `INSERT INTO workspace_members (workspace_id, user_id, role)
   SELECT w.id, u.id, 'MEMBER' FROM workspaces w, users u WHERE w.slug = 'acme' AND u.email LIKE 'member.%'`,
  // Globex apps that Ada and other users authorized for Acme, and apps that wait for approval by Acme's
  // admins.
  `INSERT INTO oauth_clients (id, type, name, workspace_id, redirect_uris, first_authorized_at, updated_at)
   SELECT 'crowd-' || n, 'WEB', ${named('n', 'Deploy', 'Status', 'Invoice', 'Standup', 'Backup')} || ' helper ' || n, id,
          '{https://app.example/callback}', now(), now() FROM workspaces, generate_series(1, 212) n WHERE slug = 'globex'`,
  `INSERT INTO authorizations (id, user_id, client_id, scopes, workspace_ids, project_ids, updated_at, last_used_at)
   SELECT gen_random_uuid(), u.id, c.id, '{openid,workspace:member}', ARRAY[w.id], '{}', now(), now() - interval '3 hours'
     FROM generate_series(1, 200) n JOIN oauth_clients c ON c.id = 'crowd-' || n JOIN workspaces w ON w.slug = 'acme'
     JOIN users u ON u.email IN ('ada@example.com', 'member.' || n || '@example.com')`,
  `INSERT INTO workspace_app_requests (workspace_id, client_id, user_id, scopes, reason)
   SELECT w.id, c.id, u.id, '{workspace:member}', 'It keeps our releases in one list, and the whole team uses it.'
     FROM generate_series(201, 212) n JOIN oauth_clients c ON c.id = 'crowd-' || n JOIN workspaces w ON w.slug = 'acme'
     JOIN users u ON u.email = 'grace@example.com'`,
  // The app crowd-7, which has a verified domain. Globex offers to transfer the app to Acme.
  `INSERT INTO app_offers (client_id, workspace_id, expires_at)
   SELECT 'crowd-7', id, now() + interval '6 days' FROM workspaces WHERE slug = 'acme'`,
  `INSERT INTO app_domains (client_id, domain, token, verified_at, checked_at) VALUES ('crowd-7', 'globex.example', 'x', now(), now())`,
  // Self-registered apps that wait for an instance admin's approval.
  `INSERT INTO oauth_clients (id, source, type, name, redirect_uris, awaiting_approval, updated_at)
   SELECT 'waiting-' || n, 'DYNAMIC', 'NATIVE', 'Planner ' || n, '{http://127.0.0.1/callback}', true, now() FROM generate_series(1, 12) n`,
  // A workspace whose only admin can no longer sign in, and its app in development.
  `INSERT INTO users (id, name, email, suspended_at, updated_at)
   VALUES (gen_random_uuid(), 'Ken Gone', 'ken@example.com', now(), now())`,
  `INSERT INTO workspaces (id, slug, name, updated_at) VALUES (gen_random_uuid(), 'left-behind', 'Left behind', now())`,
  `INSERT INTO workspace_members (workspace_id, user_id, role)
   SELECT w.id, u.id, CASE WHEN u.email = 'ken@example.com' THEN 'ADMIN'::role ELSE 'MEMBER' END
     FROM workspaces w, users u WHERE w.slug = 'left-behind' AND u.email IN ('ken@example.com', 'edsger@example.com')`,
  `INSERT INTO oauth_clients (id, type, name, workspace_id, redirect_uris, in_development, updated_at)
   SELECT 'developed', 'WEB', 'Half a board', id, '{https://app.example/callback}', true, now()
     FROM workspaces WHERE slug = 'left-behind'`,
  // Acme's SSO connection, with an SSO-managed app.
  `INSERT INTO workspace_identity_providers (workspace_id, issuer, client_id, domain, join_as, token, verified_at, checked_at, updated_at)
   SELECT id, 'https://login.acme.example', 'latchkey', 'acme.example', 'MEMBER', 'x', now(), now(), now() FROM workspaces WHERE slug = 'acme'`,
  `INSERT INTO managed_apps (id, workspace_id, client_id, scopes, last_used_at)
   SELECT gen_random_uuid(), id, 'crowd-1', '{workspace:viewer}', now() FROM workspaces WHERE slug = 'acme'`,
  // 20 APIs of the instance. The first API has 30 scopes, and each other API has 2 scopes.
  `INSERT INTO apis (id, identifier, name, token_format, token_lifetime, signing_algorithm, updated_at)
   SELECT 'lk_api_crowd' || n, 'https://service-' || n || '.acme.example', ${named('n', 'Deployments', 'Billing', 'Metrics', 'Certificates', 'Search')} || ' ' || n,
          (CASE WHEN n % 3 = 0 THEN 'JWT' ELSE 'OPAQUE' END)::api_token_format, 300, 'RS256', now() FROM generate_series(1, 20) n`,
  `INSERT INTO api_scopes (name, api_id, description, sensitivity, selects, position)
   SELECT 'service-' || n || ':part-' || p || ':write', 'lk_api_crowd' || n, 'Change part ' || p || ' of the projects you choose',
          (ARRAY['LOW', 'ELEVATED', 'HIGH'])[1 + p % 3]::api_scope_sensitivity, 'PROJECTS', p
     FROM generate_series(1, 20) n, generate_series(1, 30) p WHERE n = 1 OR p <= 2`,
  // Ada's account at GitHub.
  `INSERT INTO identities (provider, subject, user_id) SELECT 'github', '4711', id FROM users WHERE email = 'ada@example.com'`,
]

/** Returns an SQL expression that selects the names in turn, based on the number in `column`. */
function named(column: string, ...names: string[]): string {
  return `(ARRAY[${names.map((name) => `'${name}'`).join(', ')}])[1 + ${column} % ${names.length}]`
}

/**
 * The environment variables for these screenshots. They add the demo data and two external sign-in providers,
 * and require approval of self-registered apps.
 */
export const crowdSettings = {
  SEED_DEMO: '1',
  GITHUB_CLIENT_ID: 'pictured',
  GITHUB_CLIENT_SECRET: 'pictured',
  GOOGLE_CLIENT_ID: 'pictured',
  GOOGLE_CLIENT_SECRET: 'pictured',
  LATCHKEY_SETTINGS: '{"dynamicRegistration": "approval"}',
}
