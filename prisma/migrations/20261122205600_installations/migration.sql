-- Apps that act for a workspace, with nobody behind them. An app says which scopes it can be installed with; none, and it cannot be. The
-- release before knows nothing of either.
ALTER TABLE "oauth_clients" ADD COLUMN "install_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];

CREATE TABLE "installations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "all_projects" BOOLEAN NOT NULL DEFAULT true,
    "project_ids" UUID[],
    "installed_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "installations_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "installations_workspace_id_client_id_key" ON "installations"("workspace_id", "client_id");
CREATE INDEX "installations_client_id_id_idx" ON "installations"("client_id", "id");
ALTER TABLE "installations" ADD CONSTRAINT "installations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "installations" ADD CONSTRAINT "installations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
