-- The identity provider of a company, whose domain its workspace proves, and the apps it may send with its word.
CREATE TABLE "workspace_identity_providers" (
    "workspace_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "sealed_secret" BYTEA,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspace_identity_providers_pkey" PRIMARY KEY ("workspace_id")
);
CREATE TABLE "managed_apps" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "allowed_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "managed_apps_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "workspace_identity_providers_issuer_idx" ON "workspace_identity_providers"("issuer");
CREATE INDEX "workspace_identity_providers_checked_at_idx" ON "workspace_identity_providers"("checked_at");
-- A domain that is proven speaks for one workspace.
CREATE UNIQUE INDEX "workspace_identity_providers_proven_domain" ON "workspace_identity_providers"("domain") WHERE "verified_at" IS NOT NULL;
CREATE INDEX "managed_apps_client_id_idx" ON "managed_apps"("client_id");
CREATE UNIQUE INDEX "managed_apps_workspace_id_client_id_key" ON "managed_apps"("workspace_id", "client_id");
ALTER TABLE "workspace_identity_providers" ADD CONSTRAINT "workspace_identity_providers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "managed_apps" ADD CONSTRAINT "managed_apps_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "managed_apps" ADD CONSTRAINT "managed_apps_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
