-- Tables of P2 and P5: 10,000 users with 3 workspaces each, and 10,000 live bearer tokens (SHA-256 of 'tok-<n>').
CREATE TABLE app_user (id uuid PRIMARY KEY, email text NOT NULL UNIQUE, name text NOT NULL);
CREATE TABLE app_workspace (id uuid PRIMARY KEY, name text NOT NULL);
CREATE TABLE app_member (user_id uuid REFERENCES app_user, workspace_id uuid REFERENCES app_workspace,
  role text NOT NULL, PRIMARY KEY (user_id, workspace_id));
CREATE TABLE app_token (hash bytea PRIMARY KEY, user_id uuid NOT NULL REFERENCES app_user, scope text NOT NULL,
  expires_at timestamptz NOT NULL);
INSERT INTO app_user SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(g), 12, '0'))::uuid, 'u' || g || '@example.test',
  'User ' || g FROM generate_series(1, 10000) g;
INSERT INTO app_workspace SELECT ('10000000-0000-4000-8000-' || lpad(to_hex(g), 12, '0'))::uuid, 'Workspace ' || g
  FROM generate_series(1, 10000) g;
INSERT INTO app_member SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(g), 12, '0'))::uuid,
  ('10000000-0000-4000-8000-' || lpad(to_hex(1 + (g - 1 + k * 37) % 10000), 12, '0'))::uuid, 'ADMIN'
  FROM generate_series(1, 10000) g, generate_series(0, 2) k;
INSERT INTO app_token SELECT sha256(('tok-' || g)::bytea), ('00000000-0000-4000-8000-' || lpad(to_hex(g), 12, '0'))::uuid,
  'openid email profile', now() + interval '30 days' FROM generate_series(1, 10000) g;

-- 60 projects in each of the first 64 workspaces, with three members each.
CREATE TABLE app_project (id uuid PRIMARY KEY, workspace_id uuid NOT NULL REFERENCES app_workspace, name text NOT NULL,
  description text NOT NULL DEFAULT '');
CREATE INDEX ON app_project (workspace_id, id);
CREATE TABLE app_project_member (project_id uuid REFERENCES app_project, user_id uuid REFERENCES app_user,
  role text NOT NULL, PRIMARY KEY (project_id, user_id));
INSERT INTO app_project SELECT ('20000000-0000-4000-8000-' || lpad(to_hex(w * 1000 + p), 12, '0'))::uuid,
  ('10000000-0000-4000-8000-' || lpad(to_hex(w), 12, '0'))::uuid, 'Project ' || p
  FROM generate_series(1, 64) w, generate_series(1, 60) p;
INSERT INTO app_project_member SELECT ('20000000-0000-4000-8000-' || lpad(to_hex(w * 1000 + p), 12, '0'))::uuid,
  ('00000000-0000-4000-8000-' || lpad(to_hex(w + k * 100), 12, '0'))::uuid, 'MEMBER'
  FROM generate_series(1, 64) w, generate_series(1, 60) p, generate_series(0, 2) k;

-- P2: the table that schema.prisma describes.
CREATE TABLE oidc_model (id text NOT NULL, type text NOT NULL, payload jsonb NOT NULL, "grantId" text, "userCode" text,
  uid text, "expiresAt" timestamp(3), "consumedAt" timestamp(3), PRIMARY KEY (id, type));
CREATE UNIQUE INDEX oidc_model_uid_key ON oidc_model (uid);
CREATE INDEX "oidc_model_grantId_idx" ON oidc_model ("grantId");
CREATE INDEX "oidc_model_userCode_idx" ON oidc_model ("userCode");

ANALYZE;
